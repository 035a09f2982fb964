import type { Context } from 'cordis'
import { expect, test } from 'vitest'
import { text } from '../../src/cards/index.js'
import type { Launch, LaunchedProcess, Launcher, ToolAgent, ToolRegistryOptions } from '../../src/registry/index.js'
import { call, deferred, rawTool, startRegistry, textOf } from './support.js'

const child: LaunchedProcess = { pid: 1, exited: Promise.resolve({ exitCode: 0 }), kill: async () => {} }
const agent: ToolAgent = { sessionId: 'session-1', cwd: '/w', roots: ['/w'], origin: 'user' }

async function start(parts: Partial<Launcher> = {}, options: ToolRegistryOptions = {}) {
  const ctx = await startRegistry(options)
  const seen: string[] = []
  const launcher: Launcher = {
    async launch(owner, command) {
      seen.push(`launch ${owner} ${command.join(' ')}`)
      return child
    },
    async release(owner) {
      seen.push(`release ${owner}`)
    },
    ...parts,
  }
  await ctx.plugin({ name: 'launcher', apply: (inner: Context) => void inner.provide('launcher', launcher) })
  ctx.tools.register(
    rawTool('run', {
      async execute(_args, exec) {
        const started = await exec.launch(['ls', '-l'], { cwd: '/w' })
        return [text(String(started.pid))]
      },
    }),
  )
  return { ctx, seen }
}

test('a process belongs to the session of its call and stays when the call ends', async () => {
  const { ctx, seen } = await start()
  expect(textOf(await call(ctx, 'run', {}, { agent }))).toBe('1')
  expect(seen).toEqual(['launch session-1 ls -l'])
})

test('without a session a process belongs to its call and goes with it', async () => {
  const { ctx, seen } = await start()
  await call(ctx, 'run')
  expect(seen).toEqual(['launch call-1 ls -l', 'release call-1'])
})

test('without a launcher a launch is SPAWN_FAILED', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(
    rawTool('run', {
      async execute(_args, exec) {
        await exec.launch(['ls'], { cwd: '/w' })
        return []
      },
    }),
  )
  expect((await call(ctx, 'run')).error?.code).toBe('SPAWN_FAILED')
})

test('a gate wraps what the body launches', async () => {
  const { ctx, seen } = await start()
  ctx.on('tools/execute', (exec, next) => {
    const inner: Launch = exec.launch
    exec.launch = (command, options) => inner(['bwrap', ...command], options)
    return next()
  })
  await call(ctx, 'run', {}, { agent })
  expect(seen).toEqual(['launch session-1 bwrap ls -l'])
})

test('a call that is over launches nothing any more', async () => {
  const { ctx, seen } = await start()
  let launch: Launch | undefined
  ctx.tools.register(
    rawTool('keep', {
      async execute(_args, exec) {
        launch = exec.launch
        return []
      },
    }),
  )
  await call(ctx, 'keep', {}, { agent })
  await expect(launch?.(['ls'], { cwd: '/w' })).rejects.toMatchObject({ code: 'ABORTED' })
  expect(seen).toEqual([])
})

test('a process that was still starting when its call ended is released too', async () => {
  const starting = deferred<LaunchedProcess>()
  const released: string[] = []
  const { ctx } = await start({
    launch: () => starting.promise,
    release: async owner => void released.push(owner),
  })
  const done = deferred()
  ctx.tools.register(
    rawTool('careless', {
      async execute(_args, exec) {
        void exec.launch(['ls'], { cwd: '/w' }).then(() => done.resolve())
        return []
      },
    }),
  )
  await call(ctx, 'careless')
  expect(released).toEqual(['call-1'])
  starting.resolve(child)
  await done.promise
  expect(released).toEqual(['call-1', 'call-1'])
})

test('a release that fails or hangs keeps back no result', async () => {
  for (const release of [
    () => Promise.reject(new Error('no')),
    () => {
      throw new Error('no')
    },
  ]) {
    const { ctx } = await start({ release })
    expect((await call(ctx, 'run')).isError).toBe(false)
  }
  const { ctx } = await start({ release: () => new Promise(() => {}) }, { abortGraceMs: 20 })
  expect((await call(ctx, 'run')).isError).toBe(false)
})
