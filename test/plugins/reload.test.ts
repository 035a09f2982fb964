import { expect, it, onTestFinished, vi } from 'vitest'
import { call, deferred, textOf } from '../registry/support.js'
import { openBench, tool } from './support.js'

// That files which an ES module imports are read anew, too, is for a real Node: test/binary/plugin.test.ts.
it('a reload takes the files as they are now, those that a CommonJS entry requires included', async () => {
  const { ctx, put, load } = await openBench()
  await put({
    'plug/package.json': '{"type":"module","name":"plug","exports":"./index.js"}',
    'plug/index.js': `export const tools = [${tool('say', "'one'")}]`,
    'old.cjs': `exports.tools = [${tool('old', "require('./number.cjs')")}]`,
    'number.cjs': 'module.exports = 1',
  })
  const plugins = await load(['./plug', './old.cjs'])
  expect([textOf(await call(ctx, 'say')), textOf(await call(ctx, 'old'))]).toEqual(['one', '1'])

  await put({ 'plug/index.js': `export const tools = [${tool('say', "'two'")}]`, 'number.cjs': 'module.exports = 2' })
  expect(await plugins.reload()).toBe('Plugins loaded: plug (say), ./old.cjs (old).')
  expect([textOf(await call(ctx, 'say')), textOf(await call(ctx, 'old'))]).toEqual(['two', '2'])
})

it('after a plugin has gone from the list nothing of it is left', async () => {
  const { ctx, put, load, tools } = await openBench()
  const signs: string[] = []
  Object.assign(globalThis, { deckhandSigns: signs })
  const listeners = () => Object.values(ctx.events._hooks).reduce((sum, hooks) => sum + hooks.length, 0)
  const before = { listeners: listeners(), plugins: ctx.registry.size, effects: ctx.fiber.getEffects().length }
  await put({
    'all.mjs': `export const inject = ['tools', 'systemPrompt']
      export const tools = [${tool('listed')}]
      export function apply(ctx) {
        ctx.tools.register(${tool('applied')})
        ctx.systemPrompt.section('all', 1, () => 'A section.')
        ctx.on('tools/execute', (exec, next) => { deckhandSigns.push(exec.name); return next() })
        ctx.provide('weather', { now: 'rain' })
        ctx.effect(() => {
          const timer = setInterval(() => {}, 1000)
          return () => { clearInterval(timer); deckhandSigns.push('undone') }
        })
      }`,
  })
  let list = [{ source: './all.mjs' }]
  const plugins = await load(list, { reread: async () => list })
  await call(ctx, 'listed')
  expect(signs).toEqual(['listed'])

  list = []
  expect(await plugins.reload()).toBe('No plugins are loaded.')
  expect(signs).toEqual(['listed', 'undone'])
  expect(tools()).toEqual([])
  expect((await ctx.systemPrompt.assemble()).system).toBe('')
  expect(ctx.get('weather')).toBeUndefined()
  expect({ listeners: listeners(), plugins: ctx.registry.size, effects: ctx.fiber.getEffects().length }).toEqual(before)
})

it('a call that runs during a reload ends with its own result, and one that has not begun is not run', async () => {
  const { ctx, put, load } = await openBench()
  const body = deferred()
  const gate = deferred()
  Object.assign(globalThis, { deckhandBody: body.promise })
  await put({ 'slow.mjs': `export const tools = [${tool('slow', 'await deckhandBody ?? "done"')}]` })
  let list = [{ source: './slow.mjs' }]
  const plugins = await load(list, { reread: async () => list })

  const running = call(ctx, 'slow')
  const stop = ctx.on('tools/execute', async (_exec, next) => {
    await gate.promise
    return next()
  })
  const waiting = call(ctx, 'slow')
  list = []
  await plugins.reload()
  body.resolve()
  gate.resolve()
  expect(textOf(await running)).toBe('done')
  expect((await waiting).error?.code).toBe('UNKNOWN_TOOL')
  stop()
})

it('one whose new version fails is gone, and comes back when it is mended', async () => {
  const { put, load, tools } = await openBench()
  await put({ 'a.mjs': `export const tools = [${tool('a')}]` })
  const plugins = await load(['./a.mjs'])
  await put({ 'a.mjs': `throw new Error('broken')` })
  expect(await plugins.reload()).toBe('No plugins are loaded. Plugin ./a.mjs could not be loaded: broken')
  expect(tools()).toEqual([])
  await put({ 'a.mjs': `export const tools = [${tool('a')}, ${tool('b')}]` })
  expect(await plugins.reload()).toBe('Plugins loaded: ./a.mjs (a, b).')
})

it('a list that cannot be read changes nothing', async () => {
  const { put, load, tools } = await openBench()
  await put({ 'a.mjs': `export const tools = [${tool('a')}]` })
  const reread = () => Promise.reject(new Error('the config file has problems: line 3'))
  const plugins = await load(['./a.mjs'], { reread })
  expect(await plugins.reload()).toBe('Nothing was reloaded: the config file has problems: line 3')
  expect(tools()).toEqual(['a'])
})

it('others renew what is theirs on the same occasion, and a failure of theirs is no failure of the reload', async () => {
  const { ctx, load, logged } = await openBench()
  const plugins = await load([])
  ctx.on('deckhand/reload', async tell => {
    await Promise.resolve()
    tell('Servers restarted: none.')
  })
  ctx.on('deckhand/reload', () => {
    throw new Error('not now')
  })
  expect(await plugins.reload()).toBe('No plugins are loaded.\nServers restarted: none.')
  expect(logged.join('\n')).toContain('deckhand/reload failed')
})

it('reloads come one after another, and one that does not end is left behind', async () => {
  const { ctx, put, load, tools } = await openBench()
  await put({
    'stays.mjs': `export const inject = ['tools']
      export const apply = ctx => {
        ctx.effect(() => () => {
          ctx.root.emit('test/ending')
          return new Promise(() => {})
        })
        ctx.tools.register(${tool('stays')})
      }`,
  })
  // After the bench has closed its plugins.
  onTestFinished(() => void vi.useRealTimers())
  const plugins = await load(['./stays.mjs'])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const passTime = () => void setImmediate(() => vi.runOnlyPendingTimers())
  ctx.on('test/ending' as 'deckhand/reload', passTime)
  const [first, second] = await Promise.all([plugins.reload(), plugins.reload()])
  const answer = 'Plugins loaded: ./stays.mjs. The earlier ./stays.mjs did not end in time.'
  expect([first, second]).toEqual([answer, answer])
  expect(tools()).toEqual(['stays'])
})
