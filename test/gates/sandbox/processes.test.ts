import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useBuiltSources } from '../../support/built-sources.js'
import { isRunning, until } from '../../support/processes.js'
import { hasBubblewrap, openCell, openFolder, plainPath } from './support.js'

const program = resolve(import.meta.dirname, '../../../fixtures/programs/agent-in-sandbox.mjs')

/** Processes with this word among their arguments; ids as they are outside of every sandbox. */
function findProcesses(word: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => isRunning(pid) && argumentsOf(pid).includes(word))
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
  } catch {
    return []
  }
}

/** A number of seconds that nobody else sleeps. */
const uniqueSeconds = () => (3000 + Math.random()).toFixed(8)

describe.runIf(hasBubblewrap)('a process in the sandbox', () => {
  const built = useBuiltSources({
    launch: 'workspace/launch.ts',
    registry: 'registry/index.ts',
    sandbox: 'gates/sandbox/index.ts',
    bash: 'tools/bash/index.ts',
  })

  test('ends as it does without: exit code, output of both streams, a signal as 128 and its number', async () => {
    const cell = await openCell()
    expect(await cell.run('echo out; echo err >&2; exit 3')).toMatchObject({
      meta: { exitCode: 3 },
      text: expect.stringMatching(/out\nerr\n\[exit code 3\]/),
    })
    expect((await cell.run('kill -9 $$')).meta).toMatchObject({ exitCode: 137 })
    expect(await cell.run('false | true')).toMatchObject({ isError: false })
    expect((await cell.run('cat')).text).toBe('[no output]')
  })

  test('is killed by a cancel with all that it started, a child with a session of its own included (B25)', async () => {
    const cell = await openCell()
    const seconds = uniqueSeconds()
    const controller = new AbortController()
    const run = cell.run(`setsid sleep ${seconds} & sleep ${seconds} & sleep ${seconds}`, { signal: controller.signal })
    await until(() => findProcesses(seconds).filter(pid => argumentsOf(pid)[0] === 'sleep').length === 3)
    controller.abort()
    expect((await run).error?.code).toBe('ABORTED')
    expect(findProcesses(seconds)).toEqual([])
  })

  test.each([
    ['has time to clean up when it is stopped', "trap 'echo bye > bye; exit 0' TERM", true],
    ['is killed if it does not end then', "trap '' TERM", false],
  ])('%s', async (_what, trap, saysBye) => {
    const cell = await openCell()
    const controller = new AbortController()
    const run = cell.run(`${trap}; echo up > up; while :; do sleep 0.05; done`, { signal: controller.signal })
    await until(() => existsSync(join(cell.dir, 'up')))
    controller.abort()
    expect((await run).error?.code).toBe('ABORTED')
    expect(existsSync(join(cell.dir, 'bye'))).toBe(saysBye)
  })

  test('in the background outlives its command, and ends with the session even with a session of its own (B23)', async () => {
    const cell = await openCell()
    const seconds = uniqueSeconds()
    const run = await cell.run(`sleep ${seconds} & setsid sleep ${seconds} & echo started`)
    expect(run).toMatchObject({ isError: false, text: 'started\n' })
    const sleeping = () => findProcesses(seconds).filter(pid => argumentsOf(pid)[0] === 'sleep')
    await until(() => sleeping().length === 2)
    await cell.ctx.launcher.release('s1')
    expect(sleeping()).toEqual([])
  })

  test('cannot kill its parent, the agent, or any other process outside', async () => {
    const cell = await openCell()
    const bystander = spawn('sleep', [uniqueSeconds()], { stdio: 'ignore' })
    onTestFinished(() => void bystander.kill('SIGKILL'))
    const outside = [process.pid, bystander.pid]
    for (const pid of outside) {
      const run = await cell.run(`kill -KILL ${pid}; echo "kill: $?"; test -e /proc/${pid} || echo unseen`)
      for (const part of ['No such process\n', 'kill: 1\n', 'unseen\n']) expect(run.text).toContain(part)
    }
    // What it has for a parent is the sandbox's own, and all that it can reach is its own.
    await cell.run('kill -KILL $PPID; kill -KILL -1')
    expect(outside.every(pid => pid !== undefined && isRunning(pid))).toBe(true)
    expect((await cell.run('echo still here')).text).toBe('still here\n')
  })

  test('ends when the agent is killed without a chance to clean up', async () => {
    const seconds = uniqueSeconds()
    const command = `setsid sleep ${seconds} & sleep ${seconds} & sleep ${seconds}`
    const env = { ...process.env, PATH: plainPath() }
    const agent = spawn(process.execPath, [program, built(), openFolder(), command], { stdio: 'ignore', env })
    onTestFinished(() => void agent.kill('SIGKILL'))
    const sleeping = () => findProcesses(seconds).filter(pid => argumentsOf(pid)[0] === 'sleep')
    await until(() => sleeping().length === 3, 40_000)
    agent.kill('SIGKILL')
    await until(() => sleeping().length === 0)
  })

  test('of a user without rights is held as one of root is', async () => {
    const folder = openFolder()
    const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
    const isRoot = process.getuid?.() === 0
    const [file = '', ...args] = [...(isRoot ? nobody : []), process.execPath, program, built(), '/tmp']
    const commands = [
      `touch ${folder}/x`,
      'mount -o remount,rw /',
      'unshare -Urm sh -c "mount -o remount,bind,rw / && touch /usr/deckhand-test"',
      'echo ok > /var/tmp/a && cat /var/tmp/a',
    ]
    const agent = spawn(file, [...args, ...commands], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PATH: plainPath() },
    })
    onTestFinished(() => void agent.kill('SIGKILL'))
    let output = ''
    for await (const chunk of agent.stdout) output += chunk
    const results = output
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { isError: boolean; text: string })
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true, false])
    expect(results[3]?.text).toBe('ok\n')
    expect(existsSync('/usr/deckhand-test')).toBe(false)
  })
})
