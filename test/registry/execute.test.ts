import { expect, test } from 'vitest'
import { text } from '../../src/cards/index.js'
import { HarnessError, ToolError, type ToolOutput, type ToolProgress } from '../../src/registry/index.js'
import { call, rawTool, startRegistry, textOf, warnings } from './support.js'

async function resultOf(execute: () => Promise<ToolOutput>) {
  const ctx = await startRegistry()
  ctx.tools.register(rawTool('t', { execute }))
  return { ctx, result: await call(ctx, 't') }
}

test('every way a call can go ends in exactly one result of its own id (B22)', async () => {
  const ctx = await startRegistry()
  const stopped = new AbortController()
  stopped.abort()
  ctx.tools.register(rawTool('good', { presentResult: () => JSON.parse('{') }))
  ctx.tools.register(
    rawTool('failing', { execute: () => Promise.reject(new HarnessError('NOT_FOUND', 'No such file.')) }),
  )
  ctx.tools.register(
    rawTool('throwing', {
      execute() {
        throw new TypeError('broken')
      },
    }),
  )
  ctx.tools.register(rawTool('vetoed'))
  ctx.on('tools/execute', (exec, next) => {
    if (exec.name !== 'vetoed') return next()
    return { callId: '', content: [text('no')], isError: true }
  })
  const outcomes = await Promise.all([
    call(ctx, 'good'),
    call(ctx, 'failing'),
    call(ctx, 'throwing'),
    call(ctx, 'nobody'),
    call(ctx, 'vetoed'),
    call(ctx, 'good', {}, { signal: stopped.signal }),
    call(ctx, 'good', '['),
  ])
  expect(outcomes.map(result => result.callId)).toEqual(outcomes.map(() => 'call-1'))
  expect(outcomes.map(result => result.error?.code)).toEqual([
    undefined,
    'NOT_FOUND',
    'TOOL_FAILED',
    'UNKNOWN_TOOL',
    'REFUSED',
    'ABORTED_BEFORE_DISPATCH',
    'INVALID_ARGS',
  ])
  for (const result of outcomes) expect(result.content.length).toBeGreaterThan(0)
  expect(ctx.tools.presentResult('good', {}, outcomes[0]!)).toBeUndefined()
})

test('content alone, or content with meta, is a success', async () => {
  expect((await resultOf(async () => [text('a')])).result).toEqual({
    callId: 'call-1',
    content: [text('a')],
    isError: false,
  })
  expect((await resultOf(async () => ({ content: [], meta: { a: null } }))).result).toEqual({
    callId: 'call-1',
    content: [],
    isError: false,
    meta: { a: null },
  })
})

test.each([undefined, 'text', [{ type: 'text' }], { content: 'x' }, {}, [null]])(
  'a body that returns %j is a failure that says so',
  async output => {
    const { result } = await resultOf(async () => output as ToolOutput)
    expect(result).toMatchObject({ isError: true, error: { code: 'TOOL_FAILED' } })
    expect(textOf(result)).toContain('The tool has run')
  },
)

test('meta that cannot be written as JSON is left out with a warning', async () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  for (const meta of [cyclic, { n: 1n }, () => 1]) {
    const { ctx, result } = await resultOf(async () => ({ content: [text('a')], meta: meta as never }))
    expect(result).toEqual({ callId: 'call-1', content: [text('a')], isError: false })
    expect(warnings(ctx).join('\n')).toContain('t: its meta')
  }
})

test('meta is what the log would give back', async () => {
  const meta = { when: new Date(0), gone: undefined } as never
  const { result } = await resultOf(async () => ({ content: [], meta }))
  expect(result.meta).toEqual({ when: '1970-01-01T00:00:00.000Z' })
})

test('a plain error is TOOL_FAILED with its message and no stack', async () => {
  const { result } = await resultOf(() => Promise.reject(new RangeError('too far')))
  expect(result).toEqual({
    callId: 'call-1',
    content: [text('too far')],
    isError: true,
    error: { name: 'RangeError', code: 'TOOL_FAILED' },
  })
})

test.each([undefined, null, 'just text', 5, { code: 'NOT_FOUND' }, new Error('')])(
  'a thrown %s still gives a text and a class',
  async thrown => {
    const { result } = await resultOf(() => Promise.reject(thrown))
    expect(result.error).toEqual({ name: 'Error', code: 'TOOL_FAILED' })
    expect(textOf(result)).not.toBe('')
  },
)

test('an error message of any size is bounded', async () => {
  const { result } = await resultOf(() => Promise.reject(new Error('x'.repeat(1_000_000))))
  expect(textOf(result).length).toBeLessThan(10_000)
})

test('a ToolError of any copy of the library fails with its own content and meta', async () => {
  const own = new ToolError('COMMAND_FAILED', 'Exit 3.', { content: [text('out'), text('err')], meta: { exitCode: 3 } })
  // Another copy has another class but the same brands.
  const copy = Object.assign(Object.create({}), { name: 'ToolError', code: 'COMMAND_FAILED', message: 'Exit 3.' })
  for (const brand of ['deckhand.error', 'deckhand.tool-error']) Object.assign(copy, { [Symbol.for(brand)]: true })
  Object.assign(copy, { content: [text('out'), text('err')], meta: { exitCode: 3 } })
  for (const error of [own, copy]) {
    const { result } = await resultOf(() => Promise.reject(error))
    expect(result).toEqual({
      callId: 'call-1',
      content: [text('out'), text('err')],
      isError: true,
      error: { name: 'ToolError', code: 'COMMAND_FAILED' },
      meta: { exitCode: 3 },
    })
  }
})

test('a ToolError without content, or with malformed content, says its message', async () => {
  for (const content of [undefined, ['x'] as never]) {
    const { result } = await resultOf(() =>
      Promise.reject(new ToolError('NO_MATCH', 'Not there.', { content, meta: 1 })),
    )
    expect(result).toMatchObject({ content: [text('Not there.')], meta: 1, error: { code: 'NO_MATCH' } })
  }
})

test('onStart comes once, after the listeners and before the body', async () => {
  const ctx = await startRegistry()
  const order: string[] = []
  ctx.tools.register(rawTool('t', { execute: async () => [text(String(order.push('body')))] }))
  ctx.on('tools/execute', (_exec, next) => {
    order.push('gate')
    return next()
  })
  await call(ctx, 't', {}, { onStart: () => void order.push('start') })
  expect(order).toEqual(['gate', 'start', 'body'])
})

test('progress reaches the caller until the result and never after', async () => {
  const ctx = await startRegistry()
  const reports: ToolProgress[] = []
  let late: (() => void) | undefined
  ctx.tools.register(
    rawTool('t', {
      async execute(_args, exec) {
        exec.progress({ output: 'a' })
        exec.progress({ output: new Uint8Array([98]) })
        exec.progress({ content: [text('c')] })
        late = () => exec.progress({ output: 'd' })
        return []
      },
    }),
  )
  await call(ctx, 't', {}, { onProgress: report => void reports.push(report) })
  late?.()
  expect(reports).toEqual([{ output: 'a' }, { output: new Uint8Array([98]) }, { content: [text('c')] }])
})

test('callbacks that throw or reject, and malformed progress, do not reach the tool', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(
    rawTool('t', {
      async execute(_args, exec) {
        for (let count = 0; count < 100; count += 1) exec.progress({ output: 'a' })
        exec.progress({ output: 5 } as never)
        exec.progress(undefined as never)
        return [text('ok')]
      },
    }),
  )
  const fail = () => {
    throw new Error('callback broke')
  }
  expect((await call(ctx, 't', {}, { onStart: fail, onProgress: fail })).isError).toBe(false)
  expect(warnings(ctx)).toHaveLength(2)
  const failLater = () => Promise.reject(new Error('callback broke'))
  expect((await call(ctx, 't', {}, { onStart: failLater, onProgress: failLater })).isError).toBe(false)
  await new Promise(resolve => setImmediate(resolve))
  expect(warnings(ctx)).toHaveLength(4)
})

test('without a signal of the caller the tool has one all the same', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(rawTool('t', { execute: async (_args, exec) => [text(String(exec.signal.aborted))] }))
  expect(textOf(await call(ctx, 't'))).toBe('false')
})

test('many calls at once keep their results apart', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(rawTool('t', { execute: async (args, exec) => [text(`${exec.callId} ${args.n}`)] }))
  const calls = Array.from({ length: 50 }, (_, n) => call(ctx, 't', { n }, { callId: `c${n}` }))
  const results = await Promise.all(calls)
  expect(results.map(result => `${result.callId}: ${textOf(result)}`)).toEqual(
    Array.from({ length: 50 }, (_, n) => `c${n}: c${n} ${n}`),
  )
})
