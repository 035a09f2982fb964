import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDirectory, startAgent } from './support.js'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

describe('the package', () => {
  let home: string

  beforeAll(async () => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-installed-')))
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: root })
    const tarball = readdirSync(home).find(name => name.endsWith('.tgz')) ?? 'none'
    writeFileSync(join(home, 'package.json'), '{"name":"consumer","private":true,"type":"module"}')
    // All it needs is in npm's cache since this repository was installed.
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: home })
  }, 120_000)

  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it('installed into an empty folder, its command runs and its agent answers', async () => {
    const bin = join(home, 'node_modules/.bin/deckhand')
    const { stdout } = await run(bin, ['doctor'], {
      env: { ...process.env, DECKHAND_STATE_DIR: makeDirectory('state') },
    })
    expect(stdout).toMatch(/^deckhand \d[\s\S]*ok {3}Commands can be started/)
    const agent = startAgent({ script: bin, args: [] })
    expect((await agent.initialize()).result).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'deckhand' } })
    const sessionId = await agent.newSession(makeDirectory())
    expect((await agent.prompt(sessionId, '!true')).result).toEqual({ stopReason: 'end_turn' })
    expect(await agent.end()).toEqual({ code: 0, signal: null })
  })

  it('brings what its users need and nothing of its own making', () => {
    const files = readdirSync(join(home, 'node_modules/deckhand'), { recursive: true, encoding: 'utf8' })
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json',
        'LICENSE',
        'dist/cli.js',
        'dist/index.js',
        'dist/host.js',
        'dist/testing.js',
        'dist/testing.d.ts',
        'examples/formatter/formatter.js',
        'dist/index.d.ts',
      ]),
    )
    expect(files.filter(name => /^(src|test|fixtures|node_modules|\.ci)\b/.test(name))).toEqual([])
  })

  it.each([
    ['bundler', 'esnext'],
    ['nodenext', 'nodenext'],
  ])('its types serve a consumer under %s resolution', async (moduleResolution, module) => {
    const folder = join(home, moduleResolution)
    mkdirSync(folder)
    writeFileSync(
      join(folder, 'tool.ts'),
      `import { defineTool, type ToolResultView, ToolError } from 'deckhand'
import { createAgent, stdioStream } from 'deckhand/host'

export const name = 'shout'
export const tool = defineTool({
  name,
  description: 'Says it louder.',
  parameters: { text: { type: 'string', required: true }, times: { type: 'integer' } },
  async execute({ text, times }) {
    const count: number | undefined = times
    if (text === '') throw new ToolError('INVALID_ARGS', 'nothing to shout')
    return { content: [{ type: 'text', text: text.toUpperCase().repeat(count ?? 1) }] }
  },
})
declare const input: never
declare const output: never
export const view: ToolResultView = { card: 'generic' }
export const start = () => createAgent({ stream: stdioStream(input, output), stateDir: '/x' }).closed
// @ts-expect-error: no such option
createAgent({ nonsense: true })
`,
    )
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2023',
      strict: true,
      noEmit: true,
      types: [],
      skipLibCheck: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['tool.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(error => error as { stdout: string })
    expect(stdout).toBe('')
  })

  it('passes publint', async () => {
    const publint = join(root, 'node_modules/publint/src/cli.js')
    expect(existsSync(publint)).toBe(true)
    const { stdout } = await run(process.execPath, [publint, '--strict', join(home, 'node_modules/deckhand')])
    expect(stdout).toMatch(/All good/)
  })
})
