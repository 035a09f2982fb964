import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../support/compile.js'
import { cards, contentText, makeDirectory, messageText, startAgent } from './support.js'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const tsc = join(root, 'node_modules/typescript/bin/tsc')

describe('the package', () => {
  let home: string
  let tarball: string

  beforeAll(async () => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-installed-')))
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: root })
    tarball = join(home, readdirSync(home).find(name => name.endsWith('.tgz')) ?? 'none')
    writeFileSync(join(home, 'package.json'), '{"name":"consumer","private":true,"type":"module"}')
    // All it needs is in npm's cache since this repository was installed.
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: home })
  }, 120_000)

  afterAll(() => rmSync(home, { recursive: true, force: true }), 120_000)

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

  it('its program alone answers initialize in an empty home, as the registry starts it', async () => {
    const [directory, place] = [makeDirectory('pack'), makeDirectory('home')]
    await run('tar', ['-xzf', tarball, '-C', directory])
    const { bin } = JSON.parse(readFileSync(join(directory, 'package/package.json'), 'utf8'))
    const { distribution } = JSON.parse(readFileSync(join(root, 'registry/agent.json'), 'utf8'))
    const words = [join(directory, 'package', bin.deckhand), ...distribution.npx.args]
    const { PATH, SystemRoot } = process.env
    const env = { PATH, SystemRoot, HOME: place, USERPROFILE: place }
    const started = run(process.execPath, words, { cwd: place, env })
    const params = { protocolVersion: 1, clientCapabilities: { auth: { terminal: true } } }
    started.child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
    const { stdout, stderr } = await started
    expect(stderr).toBe('')
    const lines = stdout.trim().split('\n')
    expect(lines.map(line => JSON.parse(line))).toMatchObject([{ id: 1, result: { protocolVersion: 1 } }])
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
  ])('its types serve a consumer under %s resolution', (moduleResolution, module) => {
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
    expect(compile(folder, ['tool.ts'], compilerOptions)).toEqual([])
  })

  it.each([
    ['bundler', 'esnext'],
    ['nodenext', 'nodenext'],
  ])('what authors of tools import needs no types but its own under %s resolution', (moduleResolution, module) => {
    // Away from everything that is installed, cordis above all.
    const folder = makeDirectory('bare')
    const library = join(folder, 'node_modules/deckhand')
    const installed = join(home, 'node_modules/deckhand')
    mkdirSync(join(library, 'dist'), { recursive: true })
    cpSync(join(installed, 'package.json'), join(library, 'package.json'))
    for (const name of readdirSync(join(installed, 'dist')).filter(name => name.endsWith('.d.ts'))) {
      cpSync(join(installed, 'dist', name), join(library, 'dist', name))
    }
    writeFileSync(
      join(folder, 'plugin.ts'),
      `import { defineTool, type PluginContext } from 'deckhand'
import { toolContract } from 'deckhand/testing'
export const inject = ['tools', 'files']
export function apply(ctx: PluginContext): void {
  ctx.tools.register(
    defineTool({
      name: 'size',
      description: '',
      parameters: { path: { type: 'string', required: true } },
      async execute({ path }, exec) {
        const { bytes } = await ctx.files.read(exec.agent, path, exec.signal)
        return [{ type: 'text', text: String(bytes.length) }]
      },
    }),
  )
  // @ts-expect-error: no such event
  ctx.on('tools/nonsense', () => {})
}
export const checks = toolContract({ apply }, [{ args: { path: 'a' } }])
`,
    )
    // The only thing that it takes from the platform, be that Node or a browser.
    writeFileSync(join(folder, 'signal.d.ts'), 'interface AbortSignal { readonly aborted: boolean }')
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const compilerOptions = {
      module,
      moduleResolution,
      lib: ['es2023', 'dom'],
      strict: true,
      noEmit: true,
      types: [],
      // The compiler's own declarations need no check.
      skipDefaultLibCheck: true,
    }
    expect(compile(folder, ['plugin.ts', 'signal.d.ts'], compilerOptions)).toEqual([])
  })

  describe('with a plugin that it has created', () => {
    const bin = () => join(home, 'node_modules/.bin/deckhand')
    let config: string

    beforeAll(async () => {
      const source = join(home, 'tidy')
      await run(bin(), ['create-plugin', 'tidy'], { cwd: home })
      mkdirSync(join(home, 'node_modules/@types'), { recursive: true })
      symlinkSync(join(root, 'node_modules/@types/node'), join(home, 'node_modules/@types/node'), 'junction')
      await run(process.execPath, [tsc], { cwd: source })
      await run('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: source })
      // A folder with a library of its own, as npm would install it, and the plugin on top.
      config = join(home, 'config')
      mkdirSync(config)
      for (const name of ['package.json', 'package-lock.json', 'node_modules']) {
        cpSync(join(home, name), join(config, name), { recursive: true, verbatimSymlinks: true })
      }
      for (const name of readdirSync(home).filter(name => name.endsWith('.tgz')))
        cpSync(join(home, name), join(config, name))
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './tidy-0.1.0.tgz'], { cwd: config })
    }, 120_000)

    it('the plugin’s own test passes', async () => {
      const { stdout } = await run(process.execPath, ['--test', 'dist/index.test.js'], { cwd: join(home, 'tidy') })
      expect(stdout).toMatch(/^# fail 0$/m)
      expect(stdout).toMatch(/^# pass (?!0$)\d+$/m)
    })

    it('its agent loads it from the config’s folder, shows its card, and lets go of it at /reload', async () => {
      const file = join(config, 'config.yml')
      writeFileSync(file, 'plugins: [tidy, ./own, { path: broken.mjs }]\n')
      mkdirSync(join(config, 'own'))
      writeFileSync(join(config, 'own/package.json'), '{"type":"module","exports":"./index.js"}')
      writeFileSync(join(config, 'own/word.js'), "export const word = 'one'")
      writeFileSync(
        join(config, 'own/index.js'),
        `import { word } from './word.js'
console.log('not for the editor')
const execute = async () => [{ type: 'text', text: word }]
export const tools = [{ name: 'say', description: 'Say it', parameters: { type: 'object' }, execute }]`,
      )
      writeFileSync(join(config, 'broken.mjs'), "throw new Error('not today')")
      const project = makeDirectory()
      writeFileSync(join(project, 'a.txt'), 'one  \ntwo\n')

      const agent = startAgent({ script: bin(), args: [], env: { DECKHAND_CONFIG: file } })
      await agent.initialize()
      const id = await agent.newSession(project)
      await agent.prompt(id, '/trim_lines a.txt')
      await agent.prompt(id, '/trim_lines {"path":7}')
      await agent.prompt(id, '/say')
      const [trimmed, refused, said] = cards(agent.updates(id))
      expect(trimmed?.fields).toMatchObject({
        title: 'Trim a.txt',
        status: 'completed',
        content: [{ type: 'diff', path: join(project, 'a.txt'), oldText: 'one  \ntwo\n', newText: 'one\ntwo\n' }],
      })
      expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
      expect(refused?.fields.status).toBe('failed')
      expect(contentText(refused!)).toContain('path: expected string, got number')
      expect(contentText(said!)).toBe('one')
      expect(messageText(agent.updates(id))).toContain('Plugin ./broken.mjs could not be loaded: not today')
      expect(agent.log()).toContain('not for the editor')

      // From the disk as it is now, files behind the entry included.
      writeFileSync(join(config, 'own/word.js'), "export const word = 'two'")
      const before = agent.frames.length
      writeFileSync(file, 'plugins: [./own]\n')
      await agent.prompt(id, '/reload')
      await agent.prompt(id, '/say')
      await agent.prompt(id, '/call trim_lines {"path":"a.txt"}')
      const after = agent.updates(id, before)
      expect(messageText(after)).toContain('Plugins loaded: ./own (say).')
      expect(messageText(after)).toContain('trim_lines')
      expect(cards(after).map(contentText)).toEqual(['two'])
      const menu = await agent.frame(({ params }) => {
        const { sessionUpdate, availableCommands = [] } = params?.update ?? {}
        const names = availableCommands.map(({ name }: { name: string }) => name)
        return sessionUpdate === 'available_commands_update' && names.includes('say') && !names.includes('trim_lines')
      })
      expect(menu).toBeDefined()
      expect(await agent.end()).toEqual({ code: 0, signal: null })
    })
  })

  it('passes publint', async () => {
    const publint = join(root, 'node_modules/publint/src/cli.js')
    expect(existsSync(publint)).toBe(true)
    const { stdout } = await run(process.execPath, [publint, '--strict', join(home, 'node_modules/deckhand')])
    expect(stdout).toMatch(/All good/)
  })
})
