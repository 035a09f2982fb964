import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand, withFreshOutput } from './support/commands.js'
import { codeBlocks, fileBlocks, readDocument, root } from './support/markdown.js'
import { playPrompts, promptBlocks } from './support/player.js'
import { openProject } from './support/project.js'

const markdown = readDocument('README.md')
const GREET = new Map([['src/greet.js', "export function greet(name) {\n  return 'Hello ' + name\n}\n"]])

describe('README.md', () => {
  it('shows the snippet that setup prints for each editor (vitest -u prints them anew)', async () => {
    expect(codeBlocks(markdown).filter(({ label }) => label === 'snippet').length).toBe(5)
    await expect(await withFreshOutput(markdown)).toMatchFileSnapshot(join(root, 'README.md'))
  })

  it('has prompts that all work as they stand', async () => {
    const project = await openProject(GREET)
    const prompts = promptBlocks(markdown).map(({ text }) => text)
    const played = await playPrompts(join(root, 'dist/cli.js'), project, prompts)
    for (const { prompt, cards, answer } of played) {
      expect(cards.length > 0 || answer.length > 200, prompt).toBe(true)
      expect(
        cards.map(card => card.status).filter(status => status !== 'completed'),
        prompt,
      ).toEqual([])
    }
  })

  it('has command lines that all run', async () => {
    const lines = shellLines().filter(line => line.startsWith('deckhand ') && !line.startsWith('deckhand setup'))
    expect(lines.length).toBeGreaterThanOrEqual(5)
    const project = await openProject(GREET)
    for (const line of lines) expect((await runCommand(line, project)).code, line).toBe(0)
  })

  it('has a config file that doctor finds no fault with', async () => {
    const config = fileBlocks(markdown).get('config.yml') ?? ''
    expect(config).toContain('shell:')
    const project = await openProject(new Map([['config/deckhand/config.yml', config]]))
    const { stdout, code } = await runCommand('deckhand doctor', project)
    expect({ code, found: stdout.includes(`Config ${join(project, 'config/deckhand/config.yml')}`) }).toEqual({
      code: 0,
      found: true,
    })
  })

  it('names no script that package.json lacks', () => {
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }
    const named = shellLines().flatMap(line => [...line.matchAll(/npm (?:run )?(?!ci\b|link\b|install\b)([\w-]+)/g)])
    expect(named.length).toBeGreaterThanOrEqual(2)
    expect(named.map(([, script = '']) => script).filter(script => !scripts[script])).toEqual([])
  })

  it('has a tool that runs as it stands', async () => {
    const host = `import { createAgent, stdioStream } from 'deckhand/host'
import { shout } from './shout.js'
const plugin = { name: 'shout', inject: ['tools'], apply: ctx => ctx.tools.register(shout) }
const stateDir = process.env.DECKHAND_STATE_DIR
await createAgent({ stream: stdioStream(process.stdin, process.stdout), stateDir, plugins: [plugin] }).closed
process.exit(0)
`
    const project = await openProject(new Map([...fileBlocks(markdown), ['agent.js', host]]))
    const [played] = await playPrompts(join(project, 'agent.js'), project, ['/shout hello'])
    expect(played?.cards).toMatchObject([
      { title: 'Shout hello', status: 'completed', content: [{ content: { text: 'HELLO' } }] },
    ])
  })

  it('names every variable that the agent reads, and no other', () => {
    const named = new Set(markdown.match(/DECKHAND_[A-Z_]+/g))
    const read = new Set(
      ['cli', 'session', 'bridge', 'config'].flatMap(folder => sourceOf(folder).match(/DECKHAND_[A-Z_]+/g) ?? []),
    )
    expect([...named].sort()).toEqual([...read].sort())
  })
})

function shellLines(): string[] {
  const blocks = codeBlocks(markdown).filter(({ language }) => language === 'sh')
  return blocks.flatMap(({ text }) => text.trim().split('\n'))
}

function sourceOf(folder: string): string {
  const files = readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
  const sources = files.filter(file => file.endsWith('.ts'))
  return sources.map(file => readFileSync(join(root, 'src', folder, file), 'utf8')).join('\n')
}
