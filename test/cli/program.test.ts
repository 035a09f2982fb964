import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI } from '../support/agent-process.js'
import { makeDirectory } from '../support/directory.js'
import { runCli } from './run-cli.js'

const ESCAPE = /\u001b/

describe('deckhand', () => {
  it('--help names every command, and every command has its own', async () => {
    const help = await runCli(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    const commands = [...help.stdout.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].flatMap(([, name]) =>
      name && name !== 'help' ? [name] : [],
    )
    expect(commands).toEqual(
      expect.arrayContaining(['acp', 'demo', 'setup', 'tools', 'call', 'sessions', 'replay', 'doctor', 'check']),
    )
    const sub = ['list', 'show', 'rm', 'prune'].map(name => ['sessions', name])
    for (const words of [...commands.map(name => [name]), ...sub]) {
      const { code, stdout, stderr } = await runCli([...words, '--help'])
      expect({ words, code, stderr, stdout }).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining(`Usage: deckhand ${words.join(' ')}`),
      })
    }
  })

  it.each([
    [['nonsense'], /unknown command 'nonsense'/],
    [['--nonsense'], /unknown option/],
    [['setup'], /missing required argument[\s\S]*deckhand setup --help/],
    [['setup', 'notepad'], /zed, jetbrains/],
    [['acp', '--nonsense'], /unknown option/],
    [['replay', '00000000-0000-4000-8000-000000000000'], /There is no session/],
    [['sessions', 'show', '../../etc/passwd'], /There is no session/],
    [['check', '/no/such/file'], /no such file\. Name a transcript/],
    [['call', 'read', '--cwd', '/no/such/folder'], /no directory \S+: --cwd/],
    [['view', '00000000'], /"deckhand sessions list" lists/],
  ])('%j ends with exit code 1 and one readable message', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args, { env: { DECKHAND_STATE_DIR: makeDirectory('state') } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n {4}at /)
  })
})

describe('deckhand tools', () => {
  it('lists the tools for people and as JSON schemas', async () => {
    const plain = await runCli(['tools'])
    const json = await runCli(['tools', '--json'])
    const schemas = JSON.parse(json.stdout) as { name: string; description: string; parameters: { type: string } }[]
    expect(schemas.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['read', 'write', 'edit', 'bash', 'grep', 'glob', 'todo']),
    )
    for (const { name, description, parameters } of schemas) {
      expect(parameters.type).toBe('object')
      expect(description).not.toBe('')
      expect(plain.stdout).toMatch(new RegExp(`^${name} `, 'm'))
    }
  })

  it('lists what there is and exits with 1 if a plugin could not be loaded, with the reason on stderr', async () => {
    const path = join(makeDirectory(), 'no-plugin.mjs')
    const { code, stdout, stderr } = await runCli(['tools', '--plugin', path])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^bash /m)
    expect(stderr).toBe(`deckhand: plugin ${path}: There is no such file or folder.\n`)
  })
})

describe('deckhand setup', () => {
  it.each([
    ['zed', /"agent_servers"[\s\S]*"type": "custom"/],
    ['jetbrains', /acp\.json[\s\S]*"agent_servers"/],
    ['codecompanion', /require\("codecompanion"\)\.setup/],
    ['agent-shell', /agent-shell-make-agent-config/],
    ['acpx', /acpx --agent/],
  ])('%s prints a snippet with the absolute paths of node and of this installation', async (editor, form) => {
    const { code, stdout } = await runCli(['setup', editor])
    expect(code).toBe(0)
    expect(stdout).toMatch(form)
    expect(stdout).toContain(process.execPath)
    expect(stdout).toContain(CLI)
  })
})

describe('deckhand doctor', () => {
  it('says that all is well, without colours in a pipe', async () => {
    const { code, stdout } = await runCli(['doctor'], { env: { DECKHAND_STATE_DIR: makeDirectory('state') } })
    expect(code).toBe(0)
    expect(stdout).not.toMatch(ESCAPE)
    expect(stdout).not.toMatch(/^fix/m)
  })

  it('names a state directory that cannot be written, with the way out, and exits with 1', async () => {
    const file = join(makeDirectory(), 'file')
    writeFileSync(file, '')
    const { code, stdout } = await runCli(['doctor'], { env: { DECKHAND_STATE_DIR: join(file, 'state') } })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^fix.*State directory/m)
    expect(stdout).toContain('DECKHAND_STATE_DIR')
  })

  it('names each MCP server whose program is missing, and starts none', async () => {
    const folder = makeDirectory()
    const [started, tool] = [join(folder, 'started'), join(folder, 'tool.exe')]
    writeFileSync(tool, `#!/bin/sh\ntouch ${started}\n`, { mode: 0o755 })
    const server = (command: string, more: object = {}) => ({ command, ...more })
    const mcpServers = {
      here: server(process.execPath),
      own: server('tool.exe', { env: { PATH: folder } }),
      below: server('./tool.exe', { cwd: folder }),
      anywhere: server('./some-tool'),
      off: server('no-such-program', { disabled: true }),
      gone: server('no-such-program'),
      moved: server(join(folder, 'old', 'tool.exe')),
    }
    const config = join(folder, 'config.yml')
    writeFileSync(config, JSON.stringify({ mcpServers }))
    const env = { DECKHAND_STATE_DIR: makeDirectory('state'), DECKHAND_CONFIG: config }
    const { code, stdout } = await runCli(['doctor'], { env })
    expect(code).toBe(1)
    expect(stdout.match(/^fix .*/gm)).toEqual([
      'fix  MCP server gone cannot be started: no-such-program is not on the PATH',
      `fix  MCP server moved cannot be started: ${join(folder, 'old', 'tool.exe')} is no program that can be run`,
    ])
    expect(existsSync(started)).toBe(false)
  })
})

describe('colours', () => {
  it('are there when they are forced, and NO_COLOR wins', async () => {
    const run = (env: Record<string, string | undefined>) =>
      runCli(['doctor'], { env: { DECKHAND_STATE_DIR: makeDirectory('state'), ...env } })
    const forced = await run({ FORCE_COLOR: '1', NO_COLOR: undefined })
    const none = await run({ FORCE_COLOR: '1', NO_COLOR: '1' })
    expect(forced.stdout).toMatch(ESCAPE)
    expect(none.stdout).not.toMatch(ESCAPE)
  })
})
