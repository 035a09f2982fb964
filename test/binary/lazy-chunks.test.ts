import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { CLI } from '../support/agent-process.js'

const directory = dirname(CLI)
const IMPORT = /(?:^|;|\n)\s*(?:import|export)\s*(?:[\w*{}$,\s]+from\s*)?["']\.\/([\w.-]+\.js)["']/g

/** The chunk and all that is loaded with it. */
function loadedWith(chunk: string, seen = new Set<string>()): Set<string> {
  if (seen.has(chunk)) return seen
  seen.add(chunk)
  for (const [, next = ''] of readFileSync(join(directory, chunk), 'utf8').matchAll(IMPORT)) loadedWith(next, seen)
  return seen
}

/** What an editor waits for: the entry, and the agent that it loads. */
function agentChunks(): Set<string> {
  const entry = readFileSync(CLI, 'utf8')
  const agent = /import\(["']\.\/(acp-[\w-]+\.js)["']\)/.exec(entry)?.[1] ?? ''
  return new Set([...loadedWith('cli.js'), ...loadedWith(agent)])
}

// A text that stands in the code of each package and nowhere in ours.
it.each([
  ['the AI SDK', 'AI_APICallError'],
  ["Anthropic's package", 'ANTHROPIC_AUTH_TOKEN'],
  ['undici', 'UND_ERR_CONNECT_TIMEOUT", message'],
  ['the MCP client', 'mcp.SseError'],
  ['the YAML parser', 'BLOCK_AS_IMPLICIT_KEY'],
  ['the command line', 'commander.helpDisplayed'],
])('the agent starts without %s', (_, text) => {
  const chunks = readdirSync(directory).filter(name => name.endsWith('.js') && !/^(index|host)\.js$/.test(name))
  const withText = chunks.filter(name => readFileSync(join(directory, name), 'utf8').includes(text))
  const loaded = agentChunks()
  expect(loaded.size).toBeGreaterThan(2)
  expect(withText.filter(name => loaded.has(name))).toEqual([])
})
