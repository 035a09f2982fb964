import { Context } from 'cordis'
import { expect, test, vi } from 'vitest'
import { SystemPrompt, ToolRegistry } from '../../src/registry/index.js'
import { rawTool, warnings } from './support.js'

async function start(options = {}) {
  const ctx = new Context()
  await ctx.plugin(SystemPrompt, options)
  return ctx
}

test('sections come in order, with a blank line between; empty ones are left out', async () => {
  const ctx = await start()
  ctx.systemPrompt.section('late', 20, async () => 'third\n')
  ctx.systemPrompt.section('b', 10, () => 'second')
  ctx.systemPrompt.section('a', 10, () => 'first')
  ctx.systemPrompt.section('none', 0, () => undefined)
  ctx.systemPrompt.section('blank', 0, () => ' \n')
  expect(await ctx.systemPrompt.assemble()).toEqual({ system: 'first\n\nsecond\n\nthird', tools: [] })
})

test('a section knows for whom it is rendered', async () => {
  const ctx = await start()
  ctx.systemPrompt.section('cwd', 0, agent => `cwd ${agent?.cwd ?? 'unknown'}`)
  expect((await ctx.systemPrompt.assemble({ sessionId: 's', cwd: '/w', roots: ['/w'] })).system).toBe('cwd /w')
  expect((await ctx.systemPrompt.assemble()).system).toBe('cwd unknown')
})

test('a section goes with its plugin', async () => {
  const ctx = await start()
  const plugin = ctx.plugin({
    name: 'p',
    inject: ['systemPrompt'],
    apply: (inner: Context) => void inner.systemPrompt.section('p', 0, () => 'from p'),
  })
  await plugin
  const dispose = ctx.systemPrompt.section('own', 1, () => 'own')
  expect((await ctx.systemPrompt.assemble()).system).toBe('from p\n\nown')
  await plugin.dispose()
  expect((await ctx.systemPrompt.assemble()).system).toBe('own')
  dispose()
  dispose()
  expect((await ctx.systemPrompt.assemble()).system).toBe('')
})

test('a section that throws, rejects or hangs is left out and named in the log', async () => {
  const ctx = await start({ sectionTimeoutMs: 20 })
  ctx.systemPrompt.section('good', 0, () => 'good')
  ctx.systemPrompt.section('throws', 1, () => JSON.parse('{'))
  ctx.systemPrompt.section('rejects', 2, () => Promise.reject(new Error('no')))
  ctx.systemPrompt.section('hangs', 3, () => new Promise(() => {}))
  expect((await ctx.systemPrompt.assemble()).system).toBe('good')
  expect(warnings(ctx).map(line => line.match(/section (\w+)/)?.[1])).toEqual(['throws', 'rejects', 'hangs'])
})

test('assembling leaves no timer behind', async () => {
  const ctx = await start()
  ctx.systemPrompt.section('good', 0, () => 'good')
  vi.useFakeTimers()
  try {
    await ctx.systemPrompt.assemble()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('the registry feeds its schemas by itself, whichever of the two comes first', async () => {
  for (const plugins of [
    [SystemPrompt, ToolRegistry],
    [ToolRegistry, SystemPrompt],
  ]) {
    const ctx = new Context()
    for (const plugin of plugins) await ctx.plugin(plugin)
    await new Promise(resolve => setImmediate(resolve))
    const dispose = ctx.tools.register(rawTool('a'))
    expect(ctx.systemPrompt.tools().map(schema => schema.name)).toEqual(['a'])
    expect((await ctx.systemPrompt.assemble()).tools).toEqual(ctx.tools.schemas())
    dispose()
    expect(ctx.systemPrompt.tools()).toEqual([])
  }
})
