import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CLI } from '../support/agent-process.js'
import { isRunning } from '../support/processes.js'
import { deckhand, makeDirectory, openAgent } from './support.js'

const root = resolve(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const ESCAPE = /\u001b/

describe('deckhand', () => {
  it('--version is that of the package', async () => {
    expect(await deckhand(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each([
    [['nonsense'], /unknown command 'nonsense'/],
    [['acp', '--nonsense'], /unknown option/],
  ])('%j ends with exit code 1 and one readable message', async (args, message) => {
    const { code, stdout, stderr } = await deckhand(args, { env: { DECKHAND_STATE_DIR: makeDirectory('state') } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n {4}at /)
  })

  it('says that a plugin has a mistake in its syntax in one line, of the log as well', async () => {
    const [stateDir, path] = [makeDirectory('state'), join(makeDirectory(), 'broken.mjs')]
    writeFileSync(path, 'const a = 1\nexport const = 1\n')
    const { code, stderr } = await deckhand(['tools', '--plugin', path], { env: { DECKHAND_STATE_DIR: stateDir } })
    // Not every version of Node tells the place.
    const place = ` (${pathToFileURL(path).href}:2)`
    const words = `Unexpected token '='${stderr.includes(place) ? place : ''}\n`
    expect({ code, stderr }).toEqual({ code: 1, stderr: `deckhand: plugin ${path}: ${words}` })
    const log = readFileSync(join(stateDir, 'deckhand.log'), 'utf8')
    expect(log.split('could not be loaded: ')[1]).toBe(words)
  })

  it('with a pipe on stdin is the agent; no argument is needed', async () => {
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } })}\n`
    for (const args of [[], ['acp']]) {
      const { code, stdout, stderr } = await deckhand(args, {
        input,
        env: { DECKHAND_STATE_DIR: makeDirectory('state') },
      })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { protocolVersion: 1 } })
    }
  })

  it('ends without a stack when the reader of its output has gone (EPIPE)', async () => {
    const child = spawn(process.execPath, [CLI, 'tools', '--json'], {
      env: { ...process.env, DECKHAND_STATE_DIR: makeDirectory('state') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('setup names node and this installation by their absolute paths', async () => {
    const { code, stdout } = await deckhand(['setup', 'zed'])
    expect(code).toBe(0)
    expect(stdout).toContain(process.execPath)
    expect(stdout).toContain(CLI)
  })

  it('call leaves no process of a command in the background, and its exit code is that of the call', async () => {
    const cwd = makeDirectory()
    const args = JSON.stringify({ command: 'sleep 300 & echo $! > pid; exit 3' })
    const env = { DECKHAND_STATE_DIR: makeDirectory('state') }
    const { code, stdout, stderr } = await deckhand(['call', 'bash', args, '--cwd', cwd], { env })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('exit 3')
    expect(isRunning(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false)
  })

  it('sessions rm does not remove a session that an agent has open, and says which process it is', async () => {
    const stateDir = makeDirectory('state')
    const agent = await openAgent('plain', { stateDir })
    const sessionId = await agent.newSession(makeDirectory())
    await agent.prompt(sessionId, '!true')
    const { code, stderr } = await deckhand(['sessions', 'rm', sessionId], { env: { DECKHAND_STATE_DIR: stateDir } })
    expect(code).toBe(1)
    expect(stderr).toContain(String(agent.child.pid))
  })
})

it('deckhand demo draws the cards of real calls, shows them again after a restart, and leaves nothing behind', async () => {
  const temp = makeDirectory('tmp')
  const { code, stdout } = await deckhand(['demo'], { env: { TMPDIR: temp } })
  expect(code).toBe(0)
  expect(stdout).toContain('shows the same cards')
  expect(stdout).not.toMatch(ESCAPE)
  expect(readdirSync(temp)).toEqual([])
})
