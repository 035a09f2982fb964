import { expect, test } from 'vitest'
import { text } from '../../src/cards/index.js'
import { defineTool } from '../../src/registry/index.js'
import { call, rawTool, startRegistry, textOf } from './support.js'

const bare = defineTool({
  name: 'bare',
  description: '',
  parameters: {},
  execute: async args => [text(JSON.stringify(args))],
})
const keyed = defineTool({
  name: 'keyed',
  description: '',
  parameters: { path: { type: 'string', required: true } },
  execute: async args => [text(args.path)],
})

async function start() {
  const ctx = await startRegistry()
  ctx.tools.register(bare)
  ctx.tools.register(keyed)
  return ctx
}

test.each(['', 'null', '{}', ' \n', null, undefined, {}])('arguments %j mean an empty object (B80)', async raw => {
  const ctx = await start()
  expect(await call(ctx, 'bare', raw)).toEqual({ callId: 'call-1', content: [text('{}')], isError: false })
  const missing = await call(ctx, 'keyed', raw)
  expect(missing.error).toEqual({ name: 'ToolArgsError', code: 'INVALID_ARGS' })
  expect(textOf(missing)).toContain('path: expected string, got nothing')
})

test.each<[string, unknown, string]>([
  ['the text of a number', '5', 'number 5'],
  ['the text of an array', '[]', 'array of 0'],
  ['half an object', '{', 'not valid JSON'],
  ['JSON in JSON', '"{}"', 'string "{}"'],
  ['the text of a boolean', 'true', 'boolean true'],
  ['a number', 5, 'number 5'],
  ['an array', [1], 'array of 1'],
  ['a function', () => 1, 'function'],
  ['what JSON cannot hold', { big: 5n }, 'JSON'],
])('%s as arguments is INVALID_ARGS that says what came (B80)', async (_name, raw, came) => {
  const ctx = await start()
  for (const name of ['bare', 'keyed']) {
    const result = await call(ctx, name, raw)
    expect(result).toMatchObject({ callId: 'call-1', isError: true, error: { code: 'INVALID_ARGS' } })
    expect(textOf(result)).toContain(came)
  }
})

test('arguments nested beyond any stack are one failed call', async () => {
  const ctx = await start()
  const depth = 200_000
  const json = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const result = await call(ctx, 'keyed', json)
  expect(result.error?.code).toBe('INVALID_ARGS')
})

test('invalid arguments never meet a listener', async () => {
  const ctx = await start()
  let met = 0
  ctx.on('tools/execute', (_exec, next) => {
    met += 1
    return next()
  })
  await call(ctx, 'keyed', '{"path":1}')
  await call(ctx, 'keyed', '[]')
  await call(ctx, 'nobody', '{}')
  expect(met).toBe(0)
  await call(ctx, 'keyed', '{"path":"a"}')
  expect(met).toBe(1)
})

test('an unknown tool is an error that names the tools there are', async () => {
  const ctx = await start()
  const result = await call(ctx, 'nobody', 'not even JSON')
  expect(result.error).toEqual({ name: 'HarnessError', code: 'UNKNOWN_TOOL' })
  expect(textOf(result)).toBe('No tool is named nobody. Tools: bare, keyed.')
})

test('a raw tool gets its arguments unchecked, and its own check refuses them', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(
    rawTool('raw', {
      parameters: { type: 'object', required: ['x'] },
      execute: async args => [text(JSON.stringify(args))],
    }),
  )
  ctx.tools.register(
    rawTool('strict', {
      validate() {
        throw new Error('x is missing')
      },
    }),
  )
  ctx.tools.register(rawTool('late', { validate: async () => Promise.reject(new Error('late')) }))
  expect(textOf(await call(ctx, 'raw', '{"y":null}'))).toBe('{"y":null}')
  expect(await call(ctx, 'strict')).toMatchObject({
    isError: true,
    error: { code: 'INVALID_ARGS' },
    content: [text('x is missing')],
  })
  expect((await call(ctx, 'late')).error?.code).toBe('INVALID_TOOL')
})

test('listeners and the tool see the same frozen object, and the caller keeps its own', async () => {
  const ctx = await startRegistry()
  let seen: unknown
  ctx.tools.register(
    rawTool('raw', {
      execute: async (args, exec) => {
        expect(args).toBe(exec.arguments)
        args.list.push(1)
        return []
      },
    }),
  )
  ctx.on('tools/execute', (exec, next) => {
    seen = exec.arguments
    return next()
  })
  const given = { list: [] }
  const result = await call(ctx, 'raw', given)
  expect(result.error?.code).toBe('TOOL_FAILED')
  expect(seen).toEqual({ list: [] })
  expect(Object.isFrozen(seen)).toBe(true)
  given.list.push(1 as never)
  expect(seen).toEqual({ list: [] })
})

test('a key named __proto__ is data', async () => {
  const ctx = await start()
  const result = await call(ctx, 'bare', '{"__proto__":{"polluted":true}}')
  expect(textOf(result)).toBe('{"__proto__":{"polluted":true}}')
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})
