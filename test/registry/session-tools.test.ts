import type { Context } from 'cordis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { text } from '../../src/cards/index.js'
import { SystemPrompt } from '../../src/registry/index.js'
import { call, deferred, rawTool, startRegistry, textOf, warnings } from './support.js'

const agent = (sessionId: string) => ({ sessionId, cwd: '/w', roots: ['/w'], origin: 'model' as const })
const namesOf = (ctx: Context, sessionId?: string) =>
  ctx.tools
    .forSession(sessionId)
    .schemas()
    .map(({ name }) => name)

test('a tool of one session is seen, shown and run by that session alone', async () => {
  const ctx = await startRegistry()
  const own = rawTool('own', {
    presentCall: () => ({ card: 'generic', title: 'mine' }),
    effects: () => ({ reads: ['a'] }),
    isConcurrencySafe: () => true,
  })
  ctx.tools.register(own, { sessionId: 'a' })
  expect(namesOf(ctx, 'a')).toEqual(['own'])
  expect([namesOf(ctx, 'b'), namesOf(ctx)]).toEqual([[], []])
  const [mine, other] = [ctx.tools.forSession('a'), ctx.tools.forSession('b')]
  expect([mine.get('own'), other.get('own'), ctx.tools.get('own')]).toEqual([own, undefined, undefined])
  expect(mine.presentCall('own', {})).toMatchObject({ title: 'mine' })
  expect(other.presentCall('own', {})).toBeUndefined()
  expect([mine.effects('own', {}), other.effects('own', {})]).toEqual([{ reads: ['a'] }, undefined])
  expect([mine.isConcurrencySafe('own', {}), other.isConcurrencySafe('own', {})]).toEqual([true, false])
  expect(textOf(await call(ctx, 'own', {}, { agent: agent('a') }))).toBe('ok')
  const refused = await call(ctx, 'own', {}, { agent: agent('b') })
  expect(refused.error?.code).toBe('UNKNOWN_TOOL')
  expect(textOf(refused)).not.toContain('Tools: own')
})

test('two sessions have tools of one name; a name that everybody has, or the session, is taken', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(rawTool('shared'))
  ctx.tools.register(rawTool('x', { execute: async () => [text('of a')] }), { sessionId: 'a' })
  ctx.tools.register(rawTool('x', { execute: async () => [text('of b')] }), { sessionId: 'b' })
  expect(textOf(await call(ctx, 'x', {}, { agent: agent('a') }))).toBe('of a')
  expect(textOf(await call(ctx, 'x', {}, { agent: agent('b') }))).toBe('of b')
  for (const name of ['shared', 'x']) {
    expect(() => ctx.tools.register(rawTool(name), { sessionId: 'a' })).toThrow(/registered already/)
  }
})

test('a tool of everybody that comes later stands in the place of a session’s', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(rawTool('x'), { sessionId: 'a' })
  const shared = rawTool('x')
  const dispose = ctx.tools.register(shared)
  expect(ctx.tools.forSession('a').get('x')).toBe(shared)
  expect(namesOf(ctx, 'a')).toEqual(['x'])
  dispose()
  expect(ctx.tools.forSession('a').get('x')).toBeDefined()
})

test('the order of a session’s tools does not depend on which came first', async () => {
  const ctx = await startRegistry()
  ctx.tools.register(rawTool('z'))
  for (const name of ['c', 'a', 'b']) ctx.tools.register(rawTool(name), { sessionId: 's' })
  ctx.tools.register(rawTool('y'))
  expect(namesOf(ctx, 's')).toEqual(['z', 'y', 'a', 'b', 'c'])
})

test('tools/change names the session, and only its version differs', async () => {
  const ctx = await startRegistry()
  const heard: (string | undefined)[] = []
  ctx.on('tools/change', id => void heard.push(id))
  const versions = () => ['a', 'b'].map(id => ctx.tools.forSession(id).version)
  const before = versions()
  const dispose = ctx.tools.register(rawTool('x'), { sessionId: 'a' })
  const during = versions()
  dispose()
  const after = versions()
  ctx.tools.register(rawTool('y'))
  expect(heard).toEqual(['a', 'a', undefined])
  expect([during[0] === before[0], during[1] === before[1]]).toEqual([false, true])
  expect(after[0]).not.toBe(during[0])
  expect(versions().some((version, index) => version === after[index])).toBe(false)
})

test('a session’s tools go with the plugin that registered them', async () => {
  const ctx = await startRegistry()
  const plugin = ctx.plugin({
    name: 'p',
    inject: ['tools'],
    apply: (inner: Context) => void inner.tools.register(rawTool('x'), { sessionId: 'a' }),
  })
  await plugin
  expect(namesOf(ctx, 'a')).toEqual(['x'])
  await plugin.dispose()
  expect(namesOf(ctx, 'a')).toEqual([])
})

test('the system prompt has the tools of the session that it is for', async () => {
  const ctx = await startRegistry()
  await ctx.plugin(SystemPrompt)
  ctx.tools.register(rawTool('x'), { sessionId: 'a' })
  ctx.tools.register(rawTool('hidden', { userOnly: true }), { sessionId: 'a' })
  const { tools } = await ctx.systemPrompt.assemble({ sessionId: 'a', cwd: '/w', roots: ['/w'] })
  expect(tools.map(({ name }) => name)).toEqual(['x'])
  expect((await ctx.systemPrompt.assemble({ sessionId: 'b', cwd: '/w', roots: ['/w'] })).tools).toEqual([])
})

test('a family presents the calls of tools that name it, and logged ones of tools that are gone', async () => {
  const ctx = await startRegistry()
  const plugin = ctx.plugin({
    name: 'p',
    inject: ['tools'],
    apply: (inner: Context) =>
      void inner.tools.presenters.add('fam', facts => ({
        presentCall: args => ({ card: 'generic', title: `${String(facts)} ${String(args.a)}` }),
        presentResult: (_args, { isError }) => ({ card: 'generic', title: `failed ${isError}` }),
      })),
  })
  await plugin
  const presentedBy = { family: 'fam', facts: 'server' }
  ctx.tools.register(rawTool('x', { presentedBy, presentCall: () => ({ card: 'generic', title: 'not asked' }) }), {
    sessionId: 'a',
  })
  expect(ctx.tools.forSession('a').presentCall('x', '{"a":1}')).toMatchObject({ title: 'server 1' })
  expect(ctx.tools.forSession('a').presentedBy('x')).toEqual(presentedBy)
  expect(ctx.tools.presentCall('gone', { a: 2 }, presentedBy)).toMatchObject({ title: 'server 2' })
  expect(ctx.tools.presentResult('gone', {}, { content: [], isError: true }, presentedBy)).toMatchObject({
    title: 'failed true',
  })
  await plugin.dispose()
  expect(ctx.tools.presentCall('gone', {}, presentedBy)).toBeUndefined()
})

test('a family that is unknown or chokes on the facts, and facts that are none, give the generic card', async () => {
  const ctx = await startRegistry()
  ctx.tools.presenters.add('chokes', facts => {
    throw new Error(`not ${String(facts)}`)
  })
  ctx.tools.presenters.add('odd', () => 7 as never)
  for (const presentedBy of [
    null,
    7,
    {},
    { family: 'unknown' },
    { family: 'chokes', facts: 1 },
    { family: 'odd', facts: 1 },
  ]) {
    expect(ctx.tools.presentCall('gone', {}, presentedBy as never)).toBeUndefined()
  }
  expect(warnings(ctx).join('\n')).toContain('not 1')
})

test.each([
  ['no facts', { family: 'f' }],
  ['no family', { facts: 1 }],
  ['facts of many bytes', { family: 'f', facts: 'x'.repeat(9000) }],
])('a definition whose presentedBy has %s is refused', async (_what, presentedBy) => {
  const ctx = await startRegistry()
  expect(() => ctx.tools.register(rawTool('x', { presentedBy: presentedBy as never }))).toThrow(/presentedBy/)
})

test('tools on their way are waited for, each once and for a few seconds at most, or until the signal', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ctx = await startRegistry()
  const done: string[] = []
  const wait = (name: string, signal = new AbortController().signal) =>
    ctx.tools
      .forSession('a')
      .settled(signal)
      .then(() => done.push(name))
  const isComplete = () => ctx.tools.forSession('a').isComplete
  await wait('nothing expected')
  expect(isComplete()).toBe(true)
  ctx.tools.expect('a', new Promise(() => {}))
  const stop = new AbortController()
  const stopped = wait('stopped', stop.signal)
  stop.abort()
  await stopped
  const late = wait('late')
  await vi.advanceTimersByTimeAsync(2999)
  expect(done).toEqual(['nothing expected', 'stopped'])
  await vi.advanceTimersByTimeAsync(1)
  await late
  await wait('not again')
  expect([isComplete(), ctx.tools.forSession('b').isComplete]).toEqual([false, true])
  const { promise, resolve } = deferred()
  ctx.tools.expect('a', promise)
  const early = wait('early')
  resolve()
  await early
  expect(done).toEqual(['nothing expected', 'stopped', 'late', 'not again', 'early'])
})
