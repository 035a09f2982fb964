import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { launcherPlugin } from '../../src/workspace/launch.js'
import { useBuiltSources } from '../support/built-sources.js'
import { isRunning, until } from '../support/processes.js'

const programs = join(import.meta.dirname, '../../fixtures/programs')
let ctx: Context
let cwd: string

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'launch-'))
  ctx = new Context()
  await ctx.plugin(launcherPlugin)
})

afterEach(async () => {
  await ctx.fiber.dispose()
  rmSync(cwd, { recursive: true })
})

/** Starts a command and waits until it has printed a line of process ids. */
async function start(owner: string, ...command: [string, ...string[]]) {
  let output = ''
  const child = await ctx.launcher.launch(owner, command, { cwd, onOutput: chunk => (output += Buffer.from(chunk)) })
  await until(() => output.includes('\n'))
  return { child, pids: output.match(/\d+/g)!.map(Number) }
}

const allRunning = (pids: number[]) => pids.every(isRunning)
const noneRunning = (pids: number[]) => !pids.some(isRunning)

describe('process groups', () => {
  it('returns when the shell exits; what it left lives until its owner is released (B23)', async () => {
    const { child, pids } = await start('s1', 'sh', '-c', 'sleep 300 & echo $!')
    const other = await start('s2', 'sh', '-c', 'sleep 300 & echo $!')
    expect(await child.exited).toEqual({ exitCode: 0 })
    expect(allRunning([...pids, ...other.pids])).toBe(true)
    await ctx.launcher.release('s1')
    expect(noneRunning(pids)).toBe(true)
    expect(allRunning(other.pids)).toBe(true)
    await ctx.launcher.release('s1')
  })

  it('lets a child that was left write on without blocking or dying (B23)', async () => {
    const script = 'sleep 0.05; head -c 1000000 /dev/zero && touch written'
    const { child } = await start('s1', 'sh', '-c', `(${script}) & echo $!`)
    await child.exited
    await until(() => existsSync(join(cwd, 'written')))
  })

  it('kills the whole group (B25)', async () => {
    const { child, pids } = await start('s1', 'bash', '-c', 'sleep 300 & echo $$ $!; sleep 300')
    expect(allRunning(pids)).toBe(true)
    await child.kill()
    expect(noneRunning(pids)).toBe(true)
    expect(await child.exited).toEqual({ signal: 'SIGTERM' })
  })

  it('kills processes that ignore SIGTERM (B25)', async () => {
    const { child, pids } = await start('s1', 'sh', join(programs, 'trap-sigterm.sh'))
    await child.kill()
    expect(noneRunning(pids)).toBe(true)
    expect(await child.exited).toEqual({ signal: 'SIGKILL' })
  })

  it('kills a stopped process (B25)', async () => {
    const { child, pids } = await start('s1', 'sh', '-c', 'echo $$; kill -STOP $$')
    await child.kill()
    expect(noneRunning(pids)).toBe(true)
  })

  it('has nothing to do for a group that is gone', async () => {
    const { child } = await start('s1', 'sh', '-c', 'echo 1')
    await child.exited
    await child.kill()
    await ctx.launcher.release('s1')
    expect(await child.exited).toEqual({ exitCode: 0 })
  })

  it('ends what was started in the same moment as its release', async () => {
    const started = ctx.launcher.launch('s1', ['sleep', '300'], { cwd })
    await ctx.launcher.release('s1')
    const { pid, exited } = await started
    expect((await exited).signal).toBeDefined()
    expect(noneRunning([pid])).toBe(true)
  })

  it('leaves nothing when its plugin is disposed, and starts nothing after', async () => {
    const { pids } = await start('s1', 'sh', '-c', 'sleep 300 & echo $$ $!; wait')
    const { launcher } = ctx
    await ctx.fiber.dispose()
    expect(noneRunning(pids)).toBe(true)
    await expect(launcher.launch('s1', ['true'], { cwd })).rejects.toMatchObject({ code: 'SPAWN_FAILED' })
  })

  it('cannot reach a child that made a session of its own', async () => {
    const { child, pids } = await start('s1', 'sh', '-c', "setsid sh -c 'echo $$; exec sleep 300' & wait")
    await child.kill()
    expect(allRunning(pids)).toBe(true)
    for (const pid of pids) process.kill(pid, 'SIGKILL')
  })
})

describe('the end of the agent', () => {
  const built = useBuiltSources({ launch: 'workspace/launch.ts' })

  /** Runs an agent that has children, one of them left behind and one that ignores signals. */
  async function startAgent(end: string) {
    const agent = spawn(
      process.execPath,
      [join(programs, 'agent-with-children.mjs'), join(built(), 'launch.js'), end],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let output = ''
    agent.stdout.on('data', chunk => (output += chunk))
    onTestFinished(() => {
      agent.kill('SIGKILL')
    })
    const exited = new Promise<void>(resolve => agent.once('exit', () => resolve()))
    await until(() => output.includes('ready') || agent.exitCode !== null, 40_000)
    expect(output).toContain('ready')
    return { agent, exited, pids: output.match(/\d+/g)!.map(Number) }
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)('by %s leaves no child', async signal => {
    const { agent, exited, pids } = await startAgent('wait')
    expect(pids).toHaveLength(2)
    expect(allRunning(pids)).toBe(true)
    agent.kill(signal)
    await exited
    await until(() => noneRunning(pids))
  })

  it.each(['exit', 'dispose'])('by %s leaves no child', async end => {
    const { exited, pids } = await startAgent(end)
    await exited
    await until(() => noneRunning(pids))
  })
})
