import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isRunning } from '../../support/processes.js'
import { type Bash, programs, startBash } from './bash-support.js'

let bash: Bash

beforeEach(async () => {
  bash = await startBash()
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await bash.close()
})

describe('bash', () => {
  it('returns the output and streams it to the terminal', async () => {
    const { result, text, terminal } = await bash.run({ command: 'echo one; echo two >&2' })
    expect(result).toMatchObject({ isError: false, meta: { exitCode: 0, outputBytes: 8 } })
    expect(text.split('\n').sort()).toEqual(['', 'one', 'two'])
    expect(terminal).toBe(text)
  })

  it('fails by a non-zero exit and keeps both streams (B34)', async () => {
    const { result, text, terminal } = await bash.run({ command: 'echo out; sleep 0.05; echo err >&2; exit 3' })
    expect(result).toMatchObject({ isError: true, error: { code: 'COMMAND_FAILED' }, meta: { exitCode: 3 } })
    expect(text).toBe('out\nerr\n[exit code 3]')
    expect(terminal).toBe('out\nerr\n')
  })

  it('names the signal that ended the shell (B34)', async () => {
    const { result, text } = await bash.run({ command: 'kill -9 $$' })
    expect(result).toMatchObject({ isError: true, error: { code: 'COMMAND_FAILED' }, meta: { signal: 'SIGKILL' } })
    expect(text).toBe('[ended by SIGKILL]')
  })

  it('takes the exit of the last part of a pipe, as bash does (B34)', async () => {
    expect((await bash.run({ command: 'false | true' })).result.isError).toBe(false)
    expect((await bash.run({ command: 'true | false' })).result.isError).toBe(true)
  })

  it('says that there was no output', async () => {
    expect((await bash.run({ command: 'true' })).text).toBe('[no output]')
    expect((await bash.run({ command: '  ' })).text).toBe('[no output]')
    expect((await bash.run({ command: 'false' })).text).toBe('[exit code 1]')
  })

  it('returns when the shell exits, though a child holds the pipe, and ends the child with the session (B23)', async () => {
    const { result, text } = await bash.run({ command: 'sleep 300 & echo started $!' })
    expect(result).toMatchObject({ isError: false, meta: { exitCode: 0 } })
    const pid = Number(text.match(/started (\d+)/)![1])
    expect(isRunning(pid)).toBe(true)
    await bash.ctx.launcher.release('s1')
    expect(isRunning(pid)).toBe(false)
  })

  it('gives a command an empty input (B27)', async () => {
    expect((await bash.run({ command: 'cat; read line; echo "read says $?"' })).text).toBe('read says 1\n')
  })

  it('ends a program that asks on the terminal with a readable reason', async () => {
    const { result, text } = await bash.run({ command: `sh ${programs}/ask-on-tty.sh` })
    expect(result).toMatchObject({ isError: true, meta: { exitCode: 7 } })
    expect(text).toContain('no terminal to ask on')
  })

  it('tells programs that there is no terminal, pager or editor', async () => {
    vi.stubEnv('PAGER', 'less')
    const { text } = await bash.run({
      command: 'echo $TERM $PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT $GIT_EDITOR $GIT_SEQUENCE_EDITOR',
    })
    expect(text).toBe('dumb cat cat 0 false false\n')
  })

  it('hides the keys of providers and keeps PATH and HOME (B64)', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-secret')
    const { text } = await bash.run({ command: 'env' })
    expect(text).not.toContain('sk-secret')
    expect(text).toContain(`PATH=${process.env.PATH}\n`)
    expect(text).toContain(`HOME=${process.env.HOME}\n`)
  })

  it('runs in the directory of the session, or in one relative to it', async () => {
    mkdirSync(join(bash.cwd, 'sub'))
    expect((await bash.run({ command: 'pwd' })).text).toBe(`${bash.cwd}\n`)
    expect((await bash.run({ command: 'pwd', cwd: 'sub' })).text).toBe(`${bash.cwd}/sub\n`)
    expect((await bash.run({ command: 'pwd', cwd: null })).text).toBe(`${bash.cwd}\n`)
    expect((await bash.run({ command: 'pwd', cwd: bash.cwd }, { agent: undefined })).text).toBe(`${bash.cwd}\n`)
  })

  it('finds a missing directory before the body starts', async () => {
    writeFileSync(join(bash.cwd, 'file'), '')
    for (const cwd of ['gone', 'file', '/no/such/place', 'a\0b']) {
      const { result, started, terminal } = await bash.run({ command: 'touch made', cwd })
      expect(result).toMatchObject({ isError: true, error: { code: 'MISSING_CWD' } })
      expect([started, terminal]).toEqual([false, ''])
    }
    expect(existsSync(join(bash.cwd, 'made'))).toBe(false)
  })

  it('needs a session for a relative directory', async () => {
    const { result, started } = await bash.run({ command: 'pwd', cwd: 'sub' }, { agent: undefined })
    expect(result).toMatchObject({ isError: true, error: { code: 'NO_WORKSPACE' } })
    expect(started).toBe(false)
  })

  it('names the way out when a command is not found', async () => {
    const { result, text, terminal } = await bash.run({ command: 'no-such-command' })
    expect(result).toMatchObject({ isError: true, meta: { exitCode: 127 } })
    expect(text).toMatch(/no-such-command.*not found\n\[exit code 127\]\n\[command not found: .*shell\.login: true/s)
    expect(terminal.trimEnd().split('\n').at(-1)).toMatch(/^\[command not found: .*shell\.login: true.*\]$/)
  })

  it('runs a command longer than one argument may be, exactly as it is', async () => {
    const lines = Array.from({ length: 9000 }, (_, line) => `echo "$# 😀 line ${line}"`)
    const { result, terminal } = await bash.run({ command: `${lines.join('\n')}\nexit 4` })
    expect(result.meta).toMatchObject({ exitCode: 4 })
    expect(terminal).toBe(lines.map((_, line) => `0 😀 line ${line}\n`).join(''))
  })

  it.each([
    [{ command: 'x'.repeat(256 * 1024 + 1) }, /command: expected at most 262144 bytes, got 262145/],
    [{ command: 'echo a\0b' }, /command: .*NUL/],
    [{ command: 'true', timeout_ms: 0 }, /timeout_ms: expected 1 to 1800000, got 0/],
    [{ command: 'true', timeout_ms: 1_800_001 }, /timeout_ms: expected 1 to 1800000, got 1800001/],
    [{ timeout_ms: 5 }, /command/],
  ])('refuses arguments that no shell can take (%#)', async (args, message) => {
    const { result, text, started } = await bash.run(args)
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
    expect(text).toMatch(message)
    expect(started).toBe(false)
  })
})

describe('the shell', () => {
  it('is neither a login shell nor interactive, unless the configuration says login', async () => {
    const command = 'shopt -q login_shell && echo login; case $- in *i*) echo interactive;; esac; echo end'
    expect((await bash.run({ command })).text).toBe('end\n')
    const login = await startBash({ shell: { login: true } })
    expect((await login.run({ command: `${command}; exit 127` })).text).toMatch(/login\nend\n\[exit code 127\]$/)
    await login.close()
  })

  it('can be another one', async () => {
    const other = await startBash({ shell: { path: '/bin/sh' } })
    expect((await other.run({ command: 'echo $0' })).text).toBe('/bin/sh\n')
    await other.close()
    const missing = await startBash({ shell: { path: '/no/such/shell' } })
    expect((await missing.run({ command: 'true' })).result.error).toEqual({
      name: 'HarnessError',
      code: 'SPAWN_FAILED',
    })
    await missing.close()
  })

  it('is found although PATH does not lead to it', async () => {
    vi.stubEnv('PATH', '/nowhere')
    expect((await bash.run({ command: 'echo found' })).text).toBe('found\n')
  })
})
