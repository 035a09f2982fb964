import { getEventListeners } from 'node:events'
import type { Context } from 'cordis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { text } from '../../../src/cards/index.js'
import type { TimeoutOptions } from '../../../src/gates/timeout/index.js'
import * as timeout from '../../../src/gates/timeout/index.js'
import type { ToolAgent, ToolEffects } from '../../../src/registry/index.js'
import { call, rawTool, startRegistry, textOf } from '../../registry/support.js'

const agent: ToolAgent = { sessionId: 's1', cwd: '/w', roots: ['/w'], origin: 'model' }

/** A tool `slow` that ends when its signal does, and one that ends at once. */
async function start(options: TimeoutOptions, effects?: ToolEffects): Promise<Context> {
  const ctx = await startRegistry()
  await ctx.plugin(timeout, options)
  const parts = effects === undefined ? {} : { effects: () => effects }
  ctx.tools.register(
    rawTool('slow', {
      ...parts,
      execute: (_args, exec) =>
        new Promise((_resolve, reject) => exec.signal.addEventListener('abort', () => reject(exec.signal.reason))),
    }),
  )
  ctx.tools.register(rawTool('quick', { ...parts, execute: async () => [text('ok')] }))
  return ctx
}

test("a model's call that takes too long ends as TIMED_OUT, and says which limit it was", async () => {
  const ctx = await start({ callMs: 30 })
  const result = await call(ctx, 'slow', {}, { agent })
  expect(result.error?.code).toBe('TIMED_OUT')
  expect(textOf(result)).toBe('Stopped: the call took longer than 30 ms, the limit of the section timeouts.')
})

test('what a user typed has no limit', async () => {
  const ctx = await start({ callMs: 5 })
  const controller = new AbortController()
  for (const typist of [{ ...agent, origin: 'user' as const }, undefined]) {
    const result = call(ctx, 'slow', {}, { ...(typist && { agent: typist }), signal: controller.signal })
    const first = await Promise.race([result, new Promise(resolve => setTimeout(resolve, 40, 'waits'))])
    expect(first).toBe('waits')
  }
  controller.abort()
})

test.each<[string, TimeoutOptions, ToolEffects | undefined, boolean]>([
  ['the kind of its effect', { readsMs: 20 }, { reads: ['a'] }, true],
  ['no kind that it has', { readsMs: 20 }, { writes: ['a'] }, false],
  ['no kind, if its list is empty', { readsMs: 20 }, { reads: [] }, false],
  ['the longest of several kinds', { readsMs: 1, runsMs: 20 }, { reads: ['a'], runs: 'x' }, true],
  ['none, if one of its kinds has none', { readsMs: 20 }, { reads: ['a'], network: true }, false],
  ['the limit for calls that declare nothing', { undeclaredMs: 20 }, undefined, true],
  ['the limit of all calls, if that is shorter', { callMs: 20, runsMs: 60_000 }, { runs: 'x' }, true],
  ['no limit, if all are 0', { callMs: 0, runsMs: 0 }, { runs: 'x' }, false],
])('a call gets %s', async (_what, options, effects, isLimited) => {
  const ctx = await start(options, effects)
  const controller = new AbortController()
  const result = call(ctx, 'slow', {}, { agent, signal: controller.signal })
  setTimeout(() => controller.abort(), 90)
  expect((await result).error?.code).toBe(isLimited ? 'TIMED_OUT' : 'ABORTED')
})

test('the time in which a call waits for its user does not count, that behind it does', async () => {
  const ctx = await start({ callMs: 20 })
  const answers: (() => void)[] = []
  ctx.on('tools/execute', async ({ callId }, next) => {
    const wait = () =>
      ctx.emit('tools/wait', { sessionId: agent.sessionId, callId }, new Promise<void>(done => answers.push(done)))
    wait()
    wait()
    return next()
  })
  const result = call(ctx, 'slow', {}, { agent })
  const isOver = () => Promise.race([result.then(() => true), new Promise(resolve => setTimeout(resolve, 60, false))])
  expect(await isOver()).toBe(false)
  answers[0]?.()
  expect(await isOver()).toBe(false)
  answers[1]?.()
  expect((await result).error?.code).toBe('TIMED_OUT')
})

test('a cancel ends a call that waits for its user', async () => {
  const ctx = await start({ callMs: 20 })
  ctx.on('tools/execute', async ({ callId }, next) => {
    ctx.emit('tools/wait', { sessionId: agent.sessionId, callId }, new Promise(() => {}))
    return next()
  })
  const controller = new AbortController()
  const result = call(ctx, 'slow', {}, { agent, signal: controller.signal })
  controller.abort()
  expect((await result).error?.code).toBe('ABORTED')
})

test('a cancel goes through, with its own reason', async () => {
  const ctx = await start({ callMs: 60_000 })
  const controller = new AbortController()
  const result = call(ctx, 'slow', {}, { agent, signal: controller.signal })
  controller.abort()
  expect((await result).error?.code).toBe('ABORTED')
})

test('nothing is left of a call: no timer, no listener', async () => {
  const ctx = await start({ callMs: 60_000 })
  const controller = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await call(ctx, 'quick', {}, { agent, signal: controller.signal })
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  const stopped = call(ctx, 'slow', {}, { agent, signal: controller.signal })
  controller.abort()
  await stopped
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
})
