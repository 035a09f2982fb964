import { expect, test } from 'vitest'
import { text } from '../../src/cards/index.js'
import { type ActiveExecution, failedResult, HarnessError, type ToolExecutionResult } from '../../src/registry/index.js'
import { call, deferred, rawTool, startRegistry, textOf } from './support.js'

async function start() {
  const ctx = await startRegistry()
  const runs: string[] = []
  ctx.tools.register(
    rawTool('touch', {
      async execute() {
        runs.push('body')
        return { content: [text('touched')], meta: { hunks: [1] } }
      },
    }),
  )
  return { ctx, runs }
}

test('listeners wrap the tool in the order of registration, a prepended one outermost', async () => {
  const { ctx, runs } = await start()
  for (const name of ['first', 'second']) {
    ctx.on('tools/execute', async (_exec, next) => {
      runs.push(`${name} before`)
      const result = await next()
      runs.push(`${name} after`)
      return result
    })
  }
  ctx.on(
    'tools/execute',
    (_exec, next) => {
      runs.push('outermost')
      return next()
    },
    { prepend: true },
  )
  const result = await call(ctx, 'touch')
  expect(result).toEqual({ callId: 'call-1', content: [text('touched')], isError: false, meta: { hunks: [1] } })
  expect(runs).toEqual(['outermost', 'first before', 'second before', 'body', 'second after', 'first after'])
})

test('a listener vetoes by a result of its own, which gets the id and a class', async () => {
  const { ctx, runs } = await start()
  const veto = { callId: 'forged', content: [text('Not here.')], isError: true }
  ctx.on('tools/execute', () => veto)
  expect(await call(ctx, 'touch')).toEqual({
    callId: 'call-1',
    content: [text('Not here.')],
    isError: true,
    error: { name: 'HarnessError', code: 'REFUSED' },
  })
  expect(runs).toEqual([])
})

test('a veto by failedResult or by a thrown HarnessError keeps its code', async () => {
  for (const veto of ['return', 'throw'] as const) {
    const { ctx, runs } = await start()
    const error = new HarnessError('OUTSIDE_WORKSPACE', 'Outside.')
    ctx.on('tools/execute', async exec => {
      if (veto === 'throw') throw error
      return failedResult(exec.callId, error)
    })
    expect(await call(ctx, 'touch')).toEqual({
      callId: 'call-1',
      content: [text('Outside.')],
      isError: true,
      error: { name: 'HarnessError', code: 'OUTSIDE_WORKSPACE' },
    })
    expect(runs).toEqual([])
  }
})

test('a second next() neither runs the tool nor passes the gates behind it (P1)', async () => {
  const { ctx, runs } = await start()
  ctx.on('tools/execute', async (_exec, next) => {
    const result = await next()
    return result.isError ? next() : result
  })
  ctx.on('tools/execute', exec => failedResult(exec.callId, new HarnessError('REFUSED', 'No.')))
  const result = await call(ctx, 'touch')
  expect(result).toMatchObject({ isError: true, error: { code: 'LISTENER_FAILED' } })
  expect(textOf(result)).toContain('was not run')
  expect(runs).toEqual([])
})

test('the body gets the real execution whatever a listener hands to next (P2)', async () => {
  const { ctx } = await start()
  let body: ActiveExecution | undefined
  let gate: ActiveExecution | undefined
  ctx.tools.register(
    rawTool('look', {
      async execute(_args, exec) {
        body = exec
        return []
      },
    }),
  )
  ctx.on('tools/execute', (exec, next) => {
    gate = exec
    return (next as (other: unknown) => Promise<ToolExecutionResult>)({ ...exec, arguments: { forged: true } })
  })
  await call(ctx, 'look', { a: 1 })
  expect(body).toBe(gate)
  expect(body?.arguments).toEqual({ a: 1 })
})

test.each([
  undefined,
  null,
  'done',
  {},
  { content: 'x', isError: false },
  { content: [{ type: 'odd' }], isError: false },
])('a listener that returns %j instead of a result is an error (P3)', async returned => {
  const { ctx, runs } = await start()
  ctx.on('tools/execute', () => returned as never)
  const result = await call(ctx, 'touch')
  expect(result).toMatchObject({
    callId: 'call-1',
    isError: true,
    error: { name: 'HarnessError', code: 'LISTENER_FAILED' },
  })
  expect(textOf(result)).toContain('the tool was not run')
  expect(runs).toEqual([])
})

test.each(['sync', 'async'])('a listener that throws (%s) is one error result (P4)', async mode => {
  const { ctx, runs } = await start()
  ctx.on('tools/execute', () => {
    const error = new Error('gate broke')
    if (mode === 'sync') throw error
    return Promise.reject(error)
  })
  const result = await call(ctx, 'touch')
  expect(result).toMatchObject({ callId: 'call-1', isError: true, error: { code: 'LISTENER_FAILED' } })
  expect(textOf(result)).toContain('gate broke')
  expect(textOf(result)).not.toContain('.ts:')
  expect(runs).toEqual([])
})

test('a gate removed during a call still guards it, one added during a call does not (P6)', async () => {
  const { ctx, runs } = await start()
  const entered = deferred()
  const go = deferred()
  ctx.on('tools/execute', async (_exec, next) => {
    entered.resolve()
    await go.promise
    return next()
  })
  const removeDeny = ctx.on('tools/execute', exec => failedResult(exec.callId, new HarnessError('REFUSED', 'No.')))
  const first = call(ctx, 'touch')
  await entered.promise
  removeDeny()
  go.resolve()
  expect((await first).error?.code).toBe('REFUSED')
  expect(runs).toEqual([])

  const second = call(ctx, 'touch')
  ctx.on('tools/execute', exec => failedResult(exec.callId, new HarnessError('REFUSED', 'No.')))
  expect((await second).isError).toBe(false)
  expect((await call(ctx, 'touch')).error?.code).toBe('REFUSED')
})

test('a listener that fails after the body says that the tool has run and keeps its card', async () => {
  const { ctx } = await start()
  ctx.on('tools/execute', async (_exec, next) => {
    await next()
    throw new Error('formatter broke')
  })
  const result = await call(ctx, 'touch')
  expect(result.isError).toBe(true)
  expect(result.error).toEqual({ name: 'Error', code: 'LISTENER_FAILED' })
  expect(result.content[0]).toEqual(text('touched'))
  expect(textOf(result)).toContain('The tool has run')
  expect(textOf(result)).toContain('formatter broke')
  expect(result.meta).toEqual({ hunks: [1] })
})

test('a listener cannot alter a result in place, only by returning another', async () => {
  const { ctx } = await start()
  ctx.on('tools/execute', async (_exec, next) => {
    const result = await next()
    expect(() => result.content.push(text('more'))).toThrow(TypeError)
    expect(() => Object.assign(result.content[0]!, { text: 'forged' })).toThrow(TypeError)
    return { ...result, callId: 'forged', content: [...result.content, text('noted')] }
  })
  const result = await call(ctx, 'touch')
  expect(result).toEqual({
    callId: 'call-1',
    content: [text('touched'), text('noted')],
    isError: false,
    meta: { hunks: [1] },
  })
})

test('a listener that does not wait for the body is answered only once the body is done', async () => {
  const { ctx, runs } = await start()
  const go = deferred()
  ctx.tools.register(
    rawTool('slow', {
      async execute() {
        await go.promise
        runs.push('slow')
        return [text('written')]
      },
    }),
  )
  ctx.on('tools/execute', (_exec, next) => {
    void next()
    return undefined as never
  })
  const pending = call(ctx, 'slow')
  go.resolve()
  const result = await pending
  expect(runs).toEqual(['slow'])
  expect(result.error?.code).toBe('LISTENER_FAILED')
  expect(textOf(result)).toMatch(/^written\nThe tool has run/)
})

test('once an outer listener has answered, a gate that lets through later runs nothing', async () => {
  const { ctx, runs } = await start()
  const go = deferred()
  const late = deferred<ToolExecutionResult>()
  ctx.on('tools/execute', (exec, next) => {
    void next()
    return failedResult(exec.callId, new HarnessError('REFUSED', 'No.'))
  })
  ctx.on('tools/execute', async (_exec, next) => {
    await go.promise
    const result = await next()
    late.resolve(result)
    return result
  })
  expect((await call(ctx, 'touch')).error?.code).toBe('REFUSED')
  go.resolve()
  expect((await late.promise).isError).toBe(true)
  expect(runs).toEqual([])
})

test('callId, name, arguments and agent are fixed; signal and launch take only their kind', async () => {
  for (const key of ['callId', 'name', 'arguments', 'agent', 'progress', 'signal', 'launch']) {
    const { ctx, runs } = await start()
    ctx.on('tools/execute', (exec, next) => {
      Object.assign(exec, { [key]: 'forged' })
      return next()
    })
    expect((await call(ctx, 'touch')).error?.code).toBe('LISTENER_FAILED')
    expect(runs).toEqual([])
  }
})

test('a tool whose plugin went while the call waited is not run', async () => {
  const { ctx, runs } = await start()
  const dispose = ctx.tools.register(rawTool('gone', { execute: async () => [text(String(runs.push('gone')))] }))
  ctx.on('tools/execute', (_exec, next) => {
    dispose()
    return next()
  })
  expect((await call(ctx, 'gone')).error?.code).toBe('UNKNOWN_TOOL')
  expect(runs).toEqual([])
})
