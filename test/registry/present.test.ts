import { expect, test } from 'vitest'
import { type ToolCallView, text } from '../../src/cards/index.js'
import { defineTool } from '../../src/registry/index.js'
import { rawTool, startRegistry, warnings } from './support.js'

const write = defineTool({
  name: 'write',
  description: '',
  parameters: {
    path: { type: 'string', required: true },
    content: { type: 'string', required: true },
    mode: { type: 'integer' },
  },
  execute: async () => [],
  presentCall: args => ({
    card: 'diff',
    title: `Write ${args.path}`,
    diffs: [{ path: args.path, oldText: null, newText: args.content }],
  }),
  presentResult: (args, result) => ({ card: 'generic', title: `Wrote ${args.path}`, content: result.content }),
  effects: args => ({ writes: [args.path] }),
  isConcurrencySafe: args => args.path.startsWith('own/'),
})
const card = { card: 'diff', title: 'Write a', diffs: [{ path: 'a', oldText: null, newText: 'x' }] }
const result = { content: [text('done')], isError: false }

async function start() {
  const ctx = await startRegistry()
  ctx.tools.register(write)
  return ctx
}

test('presenters take JSON text or a value and give the tool’s card', async () => {
  const ctx = await start()
  for (const args of [{ path: 'a', content: 'x', mode: null }, '{"path":"a","content":"x"}']) {
    expect(ctx.tools.presentCall('write', args)).toEqual(card)
    expect(ctx.tools.presentResult('write', args, result)).toEqual({
      card: 'generic',
      title: 'Wrote a',
      content: [text('done')],
    })
    expect(ctx.tools.effects('write', args)).toEqual({ writes: ['a'] })
    expect(ctx.tools.isConcurrencySafe('write', args)).toBe(false)
  }
  expect(ctx.tools.isConcurrencySafe('write', { path: 'own/a', content: '' })).toBe(true)
})

test('arguments that do not fit give no card, and the reason goes to the log', async () => {
  const ctx = await start()
  for (const args of [{}, { path: 5, content: 'x' }, '[', 'null', 5]) {
    expect(ctx.tools.presentCall('write', args)).toBeUndefined()
    expect(ctx.tools.presentResult('write', args, result)).toBeUndefined()
    expect(ctx.tools.effects('write', args)).toBeUndefined()
    expect(ctx.tools.isConcurrencySafe('write', args)).toBe(false)
  }
  expect(warnings(ctx)[0]).toContain('write: presentCall: Invalid arguments for write')
  expect(write.presentCall?.({ path: 5 })).toBeUndefined()
  expect(write.presentResult?.({}, result)).toBeUndefined()
})

test('an unknown tool, and one without presenters, has no card and no log line', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(rawTool('plain'))
  for (const name of ['plain', 'nobody']) {
    expect(ctx.tools.presentCall(name, {})).toBeUndefined()
    expect(ctx.tools.presentPartial(name, {})).toBeUndefined()
    expect(ctx.tools.presentResult(name, {}, result)).toBeUndefined()
    expect(ctx.tools.effects(name, {})).toBeUndefined()
    expect(ctx.tools.isConcurrencySafe(name, {})).toBe(false)
  }
  expect(warnings(ctx)).toEqual([])
})

const broken: [string, () => unknown][] = [
  ['throws', () => JSON.parse('{')],
  ['returns text', () => 'card'],
  ['returns an unknown card', () => ({ card: 'hologram', title: 'x' })],
  ['returns a card of wrong fields', () => ({ card: 'diff', title: 5, diffs: 'all' })],
  ['returns a promise', () => Promise.reject(new Error('async presenter'))],
]

test.each(broken)('a presenter that %s gives no card, and the reason goes to the log', async (_how, present) => {
  const ctx = await startRegistry()
  ctx.tools.register(
    rawTool('odd', { presentCall: present as never, presentResult: present as never, effects: present as never }),
  )
  expect(ctx.tools.presentCall('odd', {})).toBeUndefined()
  expect(ctx.tools.presentResult('odd', {}, result)).toBeUndefined()
  await new Promise(resolve => setImmediate(resolve))
  expect(warnings(ctx).filter(line => line.includes('presentCall')).length).toBeGreaterThan(0)
  expect(warnings(ctx).filter(line => line.includes('presentResult')).length).toBeGreaterThan(0)
})

test.each([[{ writes: 'a' }], [{ runs: 5 }], [{ network: false }], [[]], ['all'], [null]])(
  'effects %j are no effects: the call may do anything',
  async effects => {
    const ctx = await startRegistry()
    ctx.tools.register(rawTool('odd', { effects: () => effects as never }))
    expect(ctx.tools.effects('odd', {})).toBeUndefined()
  },
)

test.each([1, 'true', {}, undefined])('isConcurrencySafe %j is not true', async answer => {
  const ctx = await startRegistry()
  ctx.tools.register(rawTool('odd', { isConcurrencySafe: () => answer as never }))
  expect(ctx.tools.isConcurrencySafe('odd', {})).toBe(false)
})

test('while arguments stream a diff card has title and locations, never content', async () => {
  const ctx = await start()
  expect(ctx.tools.presentPartial('write', { path: 'a' })).toEqual({
    card: 'diff',
    title: 'Write a',
    diffs: [],
    locations: [{ path: 'a' }],
  })
  expect(ctx.tools.presentPartial('write', { path: 'a', content: 'x', mode: null })).toEqual({
    card: 'diff',
    title: 'Write a',
    diffs: [],
    locations: [{ path: 'a' }],
  })
})

test('while arguments stream only the types of the keys that are there are checked', async () => {
  const ctx = await start()
  expect(ctx.tools.presentPartial('write', { path: 5 })).toBeUndefined()
  expect(ctx.tools.presentPartial('write', { path: 'a', mode: 1.5 })).toBeUndefined()
  expect(ctx.tools.presentPartial('write', { path: 'a', extra: 5 })).toBeDefined()
  expect(warnings(ctx)).toEqual([])
})

test('a generic card keeps title, kind, locations and paths only, a terminal card and a throw are nothing yet', async () => {
  const ctx = await startRegistry()
  const views: Record<string, () => ToolCallView | undefined> = {
    full: () => ({
      card: 'generic',
      title: 'Read',
      kind: 'read',
      rawInput: { a: 1 },
      content: [text('x')],
      locations: [{ path: 'a', line: 2 }],
      paths: ['b'],
    }),
    terminal: () => ({ card: 'terminal', title: 'ls' }),
    none: () => undefined,
    throwing: () => JSON.parse('{'),
    malformed: () => ({ card: 'generic', title: 5 as never }),
  }
  for (const [name, presentCall] of Object.entries(views)) {
    ctx.tools.register(defineTool({ name, description: '', parameters: {}, execute: async () => [], presentCall }))
  }
  expect(ctx.tools.presentPartial('full', {})).toEqual({
    card: 'generic',
    title: 'Read',
    kind: 'read',
    locations: [{ path: 'a', line: 2 }],
    paths: ['b'],
  })
  for (const name of ['terminal', 'none', 'throwing', 'malformed'])
    expect(ctx.tools.presentPartial(name, {})).toBeUndefined()
  expect(warnings(ctx)).toEqual([])
})
