import { Context } from 'cordis'
import { expect, test } from 'vitest'
import { hasErrorCode, ToolRegistry } from '../../src/registry/index.js'
import { call, rawTool, startRegistry, textOf, warnings } from './support.js'

function codeOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    if (hasErrorCode(error, 'DUPLICATE_TOOL')) return 'DUPLICATE_TOOL'
    if (hasErrorCode(error, 'INVALID_TOOL')) return 'INVALID_TOOL'
    throw error
  }
  return 'none'
}

test('a registered tool is listed without its functions and can be got', async () => {
  const ctx = await startRegistry()
  const tool = rawTool('echo', { description: 'Says it.' })
  ctx.tools.register(tool)
  expect(ctx.tools.get('echo')).toBe(tool)
  expect(ctx.tools.schemas()).toEqual([{ name: 'echo', description: 'Says it.', parameters: { type: 'object' } }])
  expect(ctx.tools.get('constructor')).toBeUndefined()
})

test('a tool belongs to the plugin that registers it and goes with it', async () => {
  const ctx = await startRegistry()
  const plugin = ctx.plugin({
    name: 'p',
    inject: ['tools'],
    apply: (inner: Context) => void inner.tools.register(rawTool('a')),
  })
  await plugin
  ctx.tools.register(rawTool('b'))
  expect(ctx.tools.schemas().map(schema => schema.name)).toEqual(['a', 'b'])
  await plugin.dispose()
  expect(ctx.tools.schemas().map(schema => schema.name)).toEqual(['b'])
})

test('a plugin that waits for the registry gets it, and loses its tools with it', async () => {
  const ctx = new Context()
  const plugin = ctx.plugin({
    name: 'p',
    inject: ['tools'],
    apply: (inner: Context) => void inner.tools.register(rawTool('a')),
  })
  const registry = ctx.plugin(ToolRegistry)
  await registry
  await plugin
  expect(ctx.tools.get('a')).toBeDefined()
  await registry.dispose()
  expect(ctx.get('tools')).toBeUndefined()
  await ctx.plugin(ToolRegistry)
  await plugin.await()
  expect(ctx.tools.schemas().map(schema => schema.name)).toEqual(['a'])
})

test('dispose is idempotent and never takes a later tool of the same name', async () => {
  const ctx = await startRegistry()
  const dispose = ctx.tools.register(rawTool('a'))
  dispose()
  const second = rawTool('a')
  ctx.tools.register(second)
  dispose()
  expect(ctx.tools.get('a')).toBe(second)
})

test('a duplicate name throws and changes nothing', async () => {
  const ctx = await startRegistry()
  const first = rawTool('a')
  ctx.tools.register(first)
  let changes = 0
  ctx.on('tools/change', () => {
    changes += 1
  })
  expect(codeOf(() => ctx.tools.register(rawTool('a')))).toBe('DUPLICATE_TOOL')
  expect(ctx.tools.get('a')).toBe(first)
  expect(changes).toBe(0)
})

test('a malformed definition is refused and changes nothing', async () => {
  const ctx = await startRegistry()
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const bad: Record<string, unknown>[] = [
    { ...rawTool(''), name: '' },
    { ...rawTool('x'), name: 'two words' },
    { ...rawTool('x'), name: 'x'.repeat(129) },
    { ...rawTool('x'), name: 5 },
    { ...rawTool('x'), description: undefined },
    { ...rawTool('x'), execute: undefined },
    { ...rawTool('x'), parameters: undefined },
    { ...rawTool('x'), parameters: [] },
    { ...rawTool('x'), parameters: cyclic },
    { ...rawTool('x'), presentCall: 'card' },
    { ...rawTool('x'), consoleStrings: [1] },
  ]
  const register: (definition: never) => void = definition => ctx.tools.register(definition)
  for (const definition of bad) expect(codeOf(() => register(definition as never))).toBe('INVALID_TOOL')
  expect(codeOf(() => register(undefined as never))).toBe('INVALID_TOOL')
  expect(ctx.tools.schemas()).toEqual([])
})

test('odd schemas are passed through as they are and a good tool stays (B77)', async () => {
  const ctx = await startRegistry()
  const odd = {
    any_of: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'object' }] },
    no_type: { properties: { a: {} } },
    refs: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'string' } },
    },
    type_list: { type: ['object', 'null'], additionalProperties: { type: 'number' } },
    empty: {},
  }
  ctx.tools.register(rawTool('good'))
  for (const [name, parameters] of Object.entries(odd)) ctx.tools.register(rawTool(name, { parameters }))
  expect(() => ctx.tools.register(rawTool('broken', { parameters: JSON.parse('null') }))).toThrow(/broken/)
  const schemas = ctx.tools.schemas()
  expect(schemas.map(schema => schema.name)).toEqual(['good', ...Object.keys(odd)])
  for (const [name, parameters] of Object.entries(odd)) {
    expect(schemas.find(schema => schema.name === name)?.parameters).toEqual(parameters)
    expect(textOf(await call(ctx, name, { a: 5 }))).toBe('ok')
  }
})

test('what a caller does to a listed schema reaches nobody else', async () => {
  const ctx = await startRegistry()
  const parameters = { type: 'object', properties: { a: { type: 'string' } } }
  ctx.tools.register(rawTool('a', { parameters }))
  parameters.properties.a.type = 'number'
  const listed = ctx.tools.schemas()[0]!
  expect(listed.parameters).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
  expect(() => Object.assign(listed, { name: 'b' })).toThrow(TypeError)
})

test('tools/change comes after the table has changed, once for each change', async () => {
  const ctx = await startRegistry()
  const seen: string[][] = []
  ctx.on('tools/change', () => void seen.push(ctx.tools.schemas().map(schema => schema.name)))
  const dispose = ctx.tools.register(rawTool('a'))
  ctx.tools.register(rawTool('b'))
  dispose()
  expect(seen).toEqual([['a'], ['a', 'b'], ['b']])
})

test('a throwing tools/change listener breaks neither register nor the other listeners (P5)', async () => {
  const ctx = await startRegistry()
  let later = 0
  ctx.on('tools/change', () => {
    throw new Error('broken listener')
  })
  ctx.on('tools/change', async () => {
    throw new Error('broken later')
  })
  ctx.on('tools/change', () => {
    later += 1
  })
  const dispose = ctx.tools.register(rawTool('a'))
  expect(ctx.tools.get('a')).toBeDefined()
  expect(codeOf(() => ctx.tools.register(rawTool('a')))).toBe('DUPLICATE_TOOL')
  dispose()
  expect(ctx.tools.get('a')).toBeUndefined()
  expect(later).toBe(2)
  await Promise.resolve()
  await new Promise(resolve => setImmediate(resolve))
  expect(warnings(ctx).filter(line => line.includes('broken'))).toHaveLength(4)
})

test('a tool registered while its plugin is being torn down does not survive it (B83)', async () => {
  const ctx = await startRegistry()
  const foo = ctx.plugin({ name: 'foo', apply: (inner: Context) => void inner.provide('foo', {}) })
  await foo
  const plugin = ctx.plugin({
    name: 'P',
    inject: ['foo', 'tools'],
    apply(inner: Context) {
      inner.effect(() => async () => {
        await Promise.resolve()
        inner.tools.register(rawTool('late'))
      })
      inner.effect(() => async () => {
        await new Promise(resolve => setTimeout(resolve, 10))
        // A child plugin of a dying one is as dead.
        await inner.plugin({
          name: 'child',
          inject: ['tools'],
          apply: (child: Context) => void child.tools.register(rawTool('child')),
        })
      })
    },
  })
  await plugin
  await foo.dispose()
  expect(ctx.tools.schemas()).toEqual([])
  await plugin.dispose()
  expect(ctx.tools.schemas()).toEqual([])
  expect(warnings(ctx).join('\n')).toContain('late')
})
