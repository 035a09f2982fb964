import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configPath } from '../../src/config/config-path.js'
import { defaultConfig, loadConfig } from '../../src/config/index.js'
import { configSchema } from '../../src/config/schema.js'

async function openHome(content?: string | Uint8Array) {
  const home = await mkdtemp(join(tmpdir(), 'deckhand-config-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const path = join(home, '.config', 'deckhand', 'config.yml')
  await mkdir(dirname(path), { recursive: true })
  if (content !== undefined) await writeFile(path, content)
  const load = (env: Record<string, string> = {}) => loadConfig({ env, platform: 'linux', home })
  return { home, path, load }
}

it('the settings without a file are the defaults of the schema', () => {
  expect(defaultConfig()).toEqual({ ...configSchema.parse({}), strict: false })
})

describe('the place of the config file', () => {
  it.each([
    ['linux', {}, '/h/.config/deckhand/config.yml'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/deckhand/config.yml'],
    ['linux', { XDG_CONFIG_HOME: 'x' }, '/h/.config/deckhand/config.yml'],
    ['darwin', {}, '/h/.config/deckhand/config.yml'],
    ['win32', { APPDATA: 'C:\\A' }, 'C:\\A\\deckhand\\config.yml'],
    ['linux', { DECKHAND_CONFIG: '/own.yml', XDG_CONFIG_HOME: '/x' }, '/own.yml'],
  ] as const)('on %s with %j is %s', (platform, env, path) => {
    expect(configPath({ env, platform, home: '/h' })).toBe(path)
  })

  it('on Windows without APPDATA lies in the roaming folder', () => {
    expect(configPath({ env: {}, platform: 'win32', home: 'C:\\Users\\u' })).toBe(
      'C:\\Users\\u\\AppData\\Roaming\\deckhand\\config.yml',
    )
  })
})

describe('loadConfig', () => {
  it('gives the defaults without a file, and says where it would be', async () => {
    const { path, load } = await openHome()
    expect(await load()).toEqual({ config: defaultConfig(), path, problems: [] })
    expect(defaultConfig()).toMatchObject({
      strict: false,
      permissions: { mode: 'ask', userCommands: 'allow', commands: { allow: [], ask: [], deny: [] } },
      sandbox: { mode: 'off', network: false },
      clientFiles: true,
      fileChange: true,
    })
  })

  it.each([
    ['an empty file', ''],
    ['comments only', '# nothing\n'],
    ['a key without settings', 'permissions:\n  # mode: plan\nshell:\n'],
  ])('gives the defaults for %s', async (_name, text) => {
    const { load } = await openHome(text)
    const { config, problems } = await load()
    expect(problems).toEqual([])
    expect(config).toEqual(defaultConfig())
  })

  it('fills in what the file leaves out; a BOM and CRLF do no harm', async () => {
    const { load } = await openHome(
      '\ufeffpermissions:\r\n  commands:\r\n    allow: ["npm test *"]\r\nsandbox: {mode: off}\r\n',
    )
    const { config, problems } = await load()
    expect(problems).toEqual([])
    expect(config.permissions).toMatchObject({ mode: 'ask', commands: { allow: ['npm test *'], deny: [] } })
    expect(config.sandbox.mode).toBe('off')
  })

  it('does not share what it gives: changing one config changes no other', () => {
    defaultConfig().permissions.commands.allow.push('x')
    expect(defaultConfig().permissions.commands.allow).toEqual([])
  })

  it.each([
    ['a relative DECKHAND_CONFIG', 'own.yml', 'absolute path'],
    ['a DECKHAND_CONFIG that does not exist', '/nowhere/own.yml', 'does not exist'],
    ['a folder', tmpdir(), 'no regular file'],
    ['a device', '/dev/zero', 'no regular file'],
  ])('is strict about %s', async (_name, own, words) => {
    const { load } = await openHome()
    const { config, problems } = await load({ DECKHAND_CONFIG: own })
    expect(problems).toEqual([{ text: expect.stringContaining(words) }])
    expect(config).toMatchObject({ strict: true, permissions: { userCommands: 'ask' }, sandbox: { mode: 'auto' } })
  })

  it.each([
    ['is too large', `# ${'x'.repeat(1024 * 1024)}`, 'larger than'],
    ['is no UTF-8', Uint8Array.of(0xff, 0xfe, 0x61, 0x00), 'cannot be read'],
  ])('is strict about a file that %s', async (_name, content, words) => {
    const { load } = await openHome(content)
    const { config, problems } = await load()
    expect(problems[0]?.text).toContain(words)
    expect(config.strict).toBe(true)
  })
})
