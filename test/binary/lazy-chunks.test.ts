import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { CLI } from '../support/agent-process.js'
import { makeDirectory, startAgent } from './support.js'

const directory = dirname(CLI)
const IMPORT = /(?:^|;|\n)\s*(?:import|export)\s*(?:[\w*{}$,\s]+from\s*)?["']\.\/([\w.-]+\.js)["']/g

/** The chunk and all that is loaded with it. */
function loadedWith(chunk: string, seen = new Set<string>()): Set<string> {
  if (seen.has(chunk)) return seen
  seen.add(chunk)
  for (const [, next = ''] of read(chunk).matchAll(IMPORT)) loadedWith(next, seen)
  return seen
}

/** What a session needs besides: the host, and for most messages the SDK's schemas. */
function agentChunks(): Set<string> {
  const front = loadedWith('cli.js')
  const later = [...front].flatMap(chunk =>
    Array.from(read(chunk).matchAll(/import\(["']\.\/([\w.-]+\.js)["']\)/g), ([, name = '']) => name),
  )
  const opened = ['agent-sessions-', 'zod.gen-'].map(start => later.find(name => name.startsWith(start)) ?? start)
  return new Set([...front, ...opened.flatMap(chunk => [...loadedWith(chunk)])])
}

function read(chunk: string): string {
  return readFileSync(join(directory, chunk), 'utf8')
}

it("a start reads few and small files until it can answer, and of Node's modules those that cost little", () => {
  const chunks = [...loadedWith('cli.js')]
  expect(chunks.length).toBeLessThanOrEqual(10)
  expect(chunks.reduce((sum, chunk) => sum + statSync(join(directory, chunk)).size, 0)).toBeLessThan(90_000)
  const text = chunks.map(read).join('\n')
  expect(text).not.toContain('_zod')
  const packages = Array.from(text.matchAll(/(?:from|import)\s*["']([\w:/]+)["']/g), ([, name]) => name)
  expect(new Set(packages)).toEqual(new Set(['fs', 'os', 'path']))
})

it('with nothing but those files initialize is answered, and what needs more is refused and logged', async () => {
  const place = makeDirectory('start')
  for (const chunk of loadedWith('cli.js')) copyFileSync(join(directory, chunk), join(place, chunk))
  const agent = startAgent({ script: join(place, 'cli.js'), env: { DECKHAND_CHECK: '0' } })
  expect((await agent.request('initialize', { protocolVersion: 1 })).result).toMatchObject({ protocolVersion: 1 })
  expect((await agent.request('session/list')).error).toMatchObject({ code: -32603 })
  expect(await agent.end()).toEqual({ code: 0, signal: null })
  expect(agent.log()).toContain('could not be opened')
  expect(agent.stderr).toBe('')
})

it('sessions are opened and listed without the schemas of messages, and what only those can judge is refused', async () => {
  const place = makeDirectory('plain')
  const chunks = readdirSync(directory).filter(name => name.endsWith('.js') && !name.startsWith('zod.gen-'))
  for (const chunk of chunks) copyFileSync(join(directory, chunk), join(place, chunk))
  const agent = startAgent({ script: join(place, 'cli.js'), env: { DECKHAND_CHECK: '0' } })
  await agent.request('initialize', { protocolVersion: 1 })
  const session = { cwd: place, mcpServers: [] }
  const { sessionId } = (await agent.request('session/new', session)).result
  expect((await agent.request('session/load', { ...session, sessionId })).result).toMatchObject({ modes: {} })
  expect((await agent.request('session/list')).result).toMatchObject({ sessions: expect.any(Array) })
  expect((await agent.request('session/new', { ...session, more: 1 })).error).toMatchObject({ code: -32603 })
  expect(await agent.end()).toEqual({ code: 0, signal: null })
})

// A text that stands in the code of each package and nowhere in ours.
it.each([
  ['the AI SDK', 'AI_APICallError'],
  ["Anthropic's package", 'ANTHROPIC_AUTH_TOKEN'],
  ['undici', 'UND_ERR_CONNECT_TIMEOUT", message'],
  ['the MCP client', 'Failed to open SSE stream'],
  ['the YAML parser', 'BLOCK_AS_IMPLICIT_KEY'],
  ['the command line', 'commander.helpDisplayed'],
  ['the highlighter', 'hljs-'],
  ['the ANSI renderer', 'ansi_colors'],
  ['the Markdown renderer', 'linkify'],
  ["the checker of the wire's rules", 'a prompt without an answer'],
  ['the reading of commands', 'nested too deeply to be looked through'],
  ['the search', '--no-config'],
  ['the text of pages', 'Text of a web page, not of the user'],
])('the agent starts without %s', (_, text) => {
  const chunks = readdirSync(directory).filter(name => name.endsWith('.js') && !/^(index|host)\.js$/.test(name))
  const withText = chunks.filter(name => readFileSync(join(directory, name), 'utf8').includes(text))
  const loaded = agentChunks()
  expect(loaded.size).toBeGreaterThan(2)
  expect(withText.filter(name => loaded.has(name))).toEqual([])
})
