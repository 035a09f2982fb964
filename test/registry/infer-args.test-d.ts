import { expectTypeOf, test } from 'vitest'
import { type ToolCallView, type ToolResultView, text } from '../../src/cards/index.js'
import {
  type ActiveExecution,
  defineTool,
  type InferArgs,
  type SchemaSpec,
  type ToolDefinition,
} from '../../src/registry/index.js'

function specOf<const S extends SchemaSpec>(spec: S): S {
  return spec
}

test('required keys are there, others may be missing', () => {
  const spec = specOf({
    path: { type: 'string', required: true, description: 'Absolute file path' },
    offset: { type: 'number' },
    limit: { type: 'integer', required: false },
    all: { type: 'boolean', required: true },
  })
  expectTypeOf<InferArgs<typeof spec>>().toEqualTypeOf<{
    path: string
    all: boolean
    offset?: number
    limit?: number
  }>()
})

test('enum members are narrowed', () => {
  const spec = specOf({
    status: { type: 'string', required: true, enum: ['pending', 'completed'] },
    level: { type: 'integer', enum: [1, 2] },
  })
  expectTypeOf<InferArgs<typeof spec>>().toEqualTypeOf<{ status: 'pending' | 'completed'; level?: 1 | 2 }>()
})

test('items and nested properties are followed', () => {
  const spec = specOf({
    entries: {
      type: 'array',
      required: true,
      items: {
        type: 'object',
        properties: { content: { type: 'string', required: true }, tags: { type: 'array', items: { type: 'string' } } },
      },
    },
    any: { type: 'array', required: true },
    loose: { type: 'object', required: true },
  })
  expectTypeOf<InferArgs<typeof spec>>().toEqualTypeOf<{
    entries: { content: string; tags?: string[] }[]
    any: unknown[]
    loose: Record<string, unknown>
  }>()
})

test('no parameters are no keys', () => {
  const spec = specOf({})
  expectTypeOf<keyof InferArgs<typeof spec>>().toEqualTypeOf<never>()
})

test('defineTool types its callbacks from the parameters and gives a definition', () => {
  const tool = defineTool({
    name: 'read_file',
    description: 'Read a file from disk.',
    parameters: {
      path: { type: 'string', required: true },
      mode: { type: 'string', enum: ['text', 'image'] },
      defaults: { type: 'array', default: [] },
    },
    async execute(args, exec) {
      expectTypeOf(args).toEqualTypeOf<{ path: string; mode?: 'text' | 'image'; defaults?: unknown[] }>()
      expectTypeOf(exec).toEqualTypeOf<ActiveExecution>()
      return [text(args.path)]
    },
    presentCall: args => ({ card: 'generic', title: args.path }),
    presentResult: (args, result) => ({ card: 'generic', title: args.path, content: result.content }),
    effects: args => ({ reads: [args.path] }),
    isConcurrencySafe: args => args.mode === 'text',
    consoleStrings: ['path'],
  })
  expectTypeOf(tool).toEqualTypeOf<ToolDefinition>()
  expectTypeOf(tool.presentCall).returns.toEqualTypeOf<ToolCallView | undefined>()
  expectTypeOf(tool.presentResult).returns.toEqualTypeOf<ToolResultView | undefined>()
})

test('a parameter of an unknown type, a console string without a parameter and a wrong card do not compile', () => {
  const base = { name: 'x', description: '', execute: async () => [] }
  // @ts-expect-error no such type
  defineTool({ ...base, parameters: { a: { type: 'date' } } })
  // @ts-expect-error no such parameter
  defineTool({ ...base, parameters: { a: { type: 'string' } }, consoleStrings: ['b'] })
  // @ts-expect-error a diff card has diffs
  defineTool({ ...base, parameters: {}, presentCall: () => ({ card: 'diff', title: 'x' }) })
})
