import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { text } from '../../src/cards/index.js'
import { HarnessError, ToolError, type ToolProgress } from '../../src/registry/index.js'
import { call, deferred, rawTool, startRegistry, textOf } from './support.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A tool that runs until `end` settles, whatever its signal says. */
async function start() {
  const ctx = await startRegistry()
  const started = deferred()
  const end = deferred<string>()
  ctx.tools.register(
    rawTool('slow', {
      async execute(_args, exec) {
        started.resolve()
        const said = await end.promise
        exec.progress({ output: 'late' })
        return [text(said)]
      },
    }),
  )
  return { ctx, started, end, controller: new AbortController() }
}

test('a call stopped before it began runs nothing and meets no listener', async () => {
  const { ctx, controller } = await start()
  let met = 0
  ctx.on('tools/execute', (_exec, next) => {
    met += 1
    return next()
  })
  controller.abort()
  const result = await call(ctx, 'slow', {}, { signal: controller.signal })
  expect(result.error).toEqual({ name: 'HarnessError', code: 'ABORTED_BEFORE_DISPATCH' })
  expect(met).toBe(0)
})

test('a call stopped while a listener waits settles at once and its body never runs', async () => {
  const { ctx, controller } = await start()
  let starts = 0
  const entered = deferred()
  const go = deferred()
  ctx.on('tools/execute', async (_exec, next) => {
    entered.resolve()
    await go.promise
    return next()
  })
  const pending = call(ctx, 'slow', {}, { signal: controller.signal, onStart: () => (starts += 1) })
  await entered.promise
  controller.abort()
  expect((await pending).error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  go.resolve()
  await vi.advanceTimersByTimeAsync(10)
  expect(starts).toBe(0)
})

test('a stop that comes from onStart still comes before the body', async () => {
  const { ctx, controller, started } = await start()
  let ran = false
  void started.promise.then(() => {
    ran = true
  })
  const result = await call(ctx, 'slow', {}, { signal: controller.signal, onStart: () => controller.abort() })
  expect(result.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  expect(ran).toBe(false)
})

test('the result of a body that ends within the grace time stands, success included', async () => {
  const { ctx, started, end, controller } = await start()
  const pending = call(ctx, 'slow', {}, { signal: controller.signal })
  await started.promise
  controller.abort()
  await vi.advanceTimersByTimeAsync(1900)
  end.resolve('written')
  expect(await pending).toEqual({ callId: 'call-1', content: [text('written')], isError: false })
  expect(vi.getTimerCount()).toBe(0)
})

test('a body that outlasts the grace time is ABORTED, says so, and reports nothing more', async () => {
  const { ctx, started, end, controller } = await start()
  const reports: ToolProgress[] = []
  const pending = call(ctx, 'slow', {}, { signal: controller.signal, onProgress: report => void reports.push(report) })
  await started.promise
  controller.abort()
  await vi.advanceTimersByTimeAsync(2000)
  const result = await pending
  expect(result.error).toEqual({ name: 'HarnessError', code: 'ABORTED' })
  expect(textOf(result)).toContain('may still be finishing')
  end.resolve('too late')
  await vi.advanceTimersByTimeAsync(10)
  expect(reports).toEqual([])
})

test('a body that fails after its call is over harms nobody', async () => {
  const { ctx, started, end, controller } = await start()
  const pending = call(ctx, 'slow', {}, { signal: controller.signal })
  await started.promise
  controller.abort()
  await vi.advanceTimersByTimeAsync(2000)
  expect((await pending).isError).toBe(true)
  end.reject(new Error('too late'))
  await vi.advanceTimersByTimeAsync(10)
})

test.each(['throwIfAborted', 'ABORTED', 'AbortError'])('a body that obeys its signal by %s is ABORTED', async how => {
  const { ctx, controller } = await start()
  const started = deferred()
  ctx.tools.register(
    rawTool('obedient', {
      async execute(_args, exec) {
        started.resolve()
        await new Promise(resolve => exec.signal.addEventListener('abort', resolve, { once: true }))
        if (how === 'throwIfAborted') exec.signal.throwIfAborted()
        if (how === 'ABORTED') throw new HarnessError('ABORTED', 'Stopped half-way.')
        throw Object.assign(new Error('The operation was aborted'), { name: 'AbortError' })
      },
    }),
  )
  const pending = call(ctx, 'obedient', {}, { signal: controller.signal })
  await started.promise
  controller.abort()
  const result = await pending
  expect(result.error?.code).toBe('ABORTED')
  expect(textOf(result)).toBe(how === 'ABORTED' ? 'Stopped half-way.' : 'The call was stopped.')
})

test('an AbortError without a stop is a failure of the tool', async () => {
  const { ctx } = await start()
  ctx.tools.register(
    rawTool('odd', { execute: () => Promise.reject(Object.assign(new Error('own'), { name: 'AbortError' })) }),
  )
  expect((await call(ctx, 'odd')).error).toEqual({ name: 'AbortError', code: 'TOOL_FAILED' })
})

test('the body sees the signal that a gate narrowed, and its reason gives the code', async () => {
  const { ctx, started } = await start()
  const timeout = new AbortController()
  let seen: AbortSignal | undefined
  ctx.tools.register(
    rawTool('look', {
      async execute(_args, exec) {
        seen = exec.signal
        return []
      },
    }),
  )
  ctx.on('tools/execute', (exec, next) => {
    exec.signal = timeout.signal
    return next()
  })
  await call(ctx, 'look')
  expect(seen).toBe(timeout.signal)

  const pending = call(ctx, 'slow', {}, { signal: new AbortController().signal })
  await started.promise
  timeout.abort(new HarnessError('TIMED_OUT', 'No answer in 5 s.'))
  await vi.advanceTimersByTimeAsync(2000)
  const result = await pending
  expect(result.error).toEqual({ name: 'HarnessError', code: 'TIMED_OUT' })
  expect(textOf(result)).toMatch(/^No answer in 5 s\. .*may still be finishing/)
})

test('a stopped body keeps the content and meta it fails with, under the code of the reason', async () => {
  const { ctx } = await start()
  const timeout = new AbortController()
  ctx.on('tools/execute', (exec, next) => {
    exec.signal = timeout.signal
    return next()
  })
  ctx.tools.register(
    rawTool('bashlike', {
      async execute() {
        timeout.abort(new HarnessError('TIMED_OUT', 'No answer in 5 s.'))
        throw new ToolError('ABORTED', 'Stopped.', { content: [text('half the output')], meta: { signal: 'SIGTERM' } })
      },
    }),
  )
  expect(await call(ctx, 'bashlike')).toEqual({
    callId: 'call-1',
    content: [text('half the output')],
    isError: true,
    error: { name: 'ToolError', code: 'TIMED_OUT' },
    meta: { signal: 'SIGTERM' },
  })
})

test('a narrower signal does not take the power from the first', async () => {
  const { ctx, started, controller } = await start()
  ctx.on('tools/execute', (exec, next) => {
    exec.signal = new AbortController().signal
    return next()
  })
  const pending = call(ctx, 'slow', {}, { signal: controller.signal })
  await started.promise
  controller.abort()
  await vi.advanceTimersByTimeAsync(2000)
  expect((await pending).error?.code).toBe('ABORTED')
})

test('a listener that never settles after the body keeps back no result past the signal', async () => {
  const { ctx, end, controller } = await start()
  const after = deferred()
  ctx.on('tools/execute', async (_exec, next) => {
    await next()
    after.resolve()
    return new Promise(() => {})
  })
  end.resolve('written')
  const pending = call(ctx, 'slow', {}, { signal: controller.signal })
  await after.promise
  controller.abort()
  await vi.advanceTimersByTimeAsync(2000)
  expect(await pending).toMatchObject({ isError: false, content: [text('written')] })
})

test('a listener that answers while the body hangs waits no longer than the grace time', async () => {
  const { ctx } = await start()
  ctx.on('tools/execute', async (exec, next) => {
    void next()
    return {
      callId: exec.callId,
      content: [text('gave up')],
      isError: true,
      error: { name: 'Gate', code: 'TIMED_OUT' },
    }
  })
  const pending = call(ctx, 'slow')
  await vi.advanceTimersByTimeAsync(2000)
  const result = await pending
  expect(result.error).toEqual({ name: 'Gate', code: 'TIMED_OUT' })
  expect(textOf(result)).toMatch(/^gave up\n.*may still be finishing/)
})

test('a call leaves no listener on a signal that outlives it', async () => {
  const { ctx, controller } = await start()
  ctx.tools.register(rawTool('quick'))
  const add = vi.spyOn(controller.signal, 'addEventListener')
  const remove = vi.spyOn(controller.signal, 'removeEventListener')
  for (let count = 0; count < 20; count += 1) await call(ctx, 'quick', {}, { signal: controller.signal })
  expect(remove.mock.calls.length).toBe(add.mock.calls.length)
  expect(add.mock.calls.length).toBe(20)
})

test('the grace time is an option of the registry', async () => {
  const ctx = await startRegistry({ abortGraceMs: 50 })
  const started = deferred()
  const controller = new AbortController()
  ctx.tools.register(rawTool('deaf', { execute: () => new Promise(() => started.resolve()) }))
  const pending = call(ctx, 'deaf', {}, { signal: controller.signal })
  await started.promise
  controller.abort()
  await vi.advanceTimersByTimeAsync(50)
  expect((await pending).error?.code).toBe('ABORTED')
})
