import { expect, test } from 'vitest'
import { text } from '../../src/cards/index.js'
import { defineTool, hasErrorCode, ToolArgsError, type ToolOutput } from '../../src/registry/index.js'
import { call, startRegistry, textOf } from './support.js'

const read = defineTool({
  name: 'read_file',
  description: 'Read a file from disk.',
  parameters: {
    path: { type: 'string', required: true, description: 'Absolute file path' },
    offset: { type: 'number' },
    ranges: {
      type: 'array',
      items: { type: 'object', properties: { from: { type: 'integer', required: true }, to: { type: 'integer' } } },
    },
  },
  execute: async args => [text(JSON.stringify(args))],
})

test('the parameters become a JSON Schema with required as a list', () => {
  expect(read.parameters).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute file path' },
      offset: { type: 'number' },
      ranges: {
        type: 'array',
        items: {
          type: 'object',
          properties: { from: { type: 'integer' }, to: { type: 'integer' } },
          required: ['from'],
        },
      },
    },
    required: ['path'],
  })
})

test('arguments that do not fit are listed for the model, which can correct itself', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(read)
  const result = await call(ctx, 'read_file', { file: 'a', offset: 'x', ranges: [{ from: 1.5 }, 3] })
  expect(result.error).toEqual({ name: 'ToolArgsError', code: 'INVALID_ARGS' })
  expect(textOf(result)).toBe(
    [
      'Invalid arguments for read_file:',
      '- path: expected string, got nothing (unknown keys: file)',
      '- offset: expected number, got string "x"',
      '- ranges[0].from: expected integer, got number 1.5',
      '- ranges[1]: expected object, got number 3',
    ].join('\n'),
  )
})

test('the tool itself checks too, when it is called without the registry', async () => {
  const failed = await read.execute({ path: 5 }, undefined as never).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(ToolArgsError)
  expect(hasErrorCode(failed, 'INVALID_ARGS')).toBe(true)
  expect((failed as ToolArgsError).violations).toEqual(['path: expected string, got number 5'])
})

test('optional keys that are null count as not given, nested ones too', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(read)
  const result = await call(ctx, 'read_file', '{"path":"a","offset":null,"ranges":[{"from":1,"to":null}],"extra":null}')
  expect(JSON.parse(textOf(result))).toEqual({ path: 'a', ranges: [{ from: 1 }], extra: null })
  expect((await call(ctx, 'read_file', '{"path":null}')).error?.code).toBe('INVALID_ARGS')
  expect((await call(ctx, 'read_file', '{"path":"a","ranges":[{"from":null}]}')).error?.code).toBe('INVALID_ARGS')
})

test('methods that a tool does not have are absent, and its own object is their this', async () => {
  expect(Object.keys(read).sort()).toEqual(['description', 'execute', 'name', 'parameters', 'validate'])
  const tool = defineTool({
    name: 'self',
    description: 'own words',
    parameters: { a: { type: 'string', required: true } },
    consoleStrings: ['a'],
    async execute(): Promise<ToolOutput> {
      return [text(this.description)]
    },
    presentCall() {
      return { card: 'generic', title: this.description }
    },
  })
  expect(tool.consoleStrings).toEqual(['a'])
  expect(tool.presentCall?.({ a: '' })).toEqual({ card: 'generic', title: 'own words' })
  expect(await tool.execute({ a: '' }, undefined as never)).toEqual([text('own words')])
})

test('those who are asked about a call and its body get one copy of its arguments, which nobody can change', async () => {
  const seen: object[] = []
  const see = <T>(args: object, answer: T): T => {
    seen.push(args)
    return answer
  }
  const ctx = await startRegistry()
  ctx.tools.register(
    defineTool({
      name: 'seen',
      description: '',
      parameters: { ranges: { type: 'array', items: { type: 'object', properties: { from: { type: 'integer' } } } } },
      effects: args => see(args, {}),
      presentCall: args => see(args, { card: 'generic', title: 'seen' }),
      presentResult: args => see(args, { card: 'generic' }),
      execute: async args => see(args, [text('done')]),
    }),
  )
  const raw = '{"ranges":[{"from":1}]}'
  ctx.tools.presentCall('seen', raw)
  ctx.tools.effects('seen', raw)
  await call(ctx, 'seen', raw)
  ctx.tools.presentResult('seen', raw, { content: [], isError: false })
  expect(seen).toHaveLength(4)
  expect(new Set(seen).size).toBe(1)
  expect(() => Object.assign((seen[0] as { ranges: object[] }).ranges[0]!, { from: 2 })).toThrow(TypeError)
})
