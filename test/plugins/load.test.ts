import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { call, textOf } from '../registry/support.js'
import { until } from '../support/processes.js'
import { openBench, tool } from './support.js'

it('a module with a list of tools is a plugin', async () => {
  const { ctx, put, load } = await openBench()
  await put({ 'hello.mjs': `export const tools = [${tool('hello')}]` })
  const plugins = await load(['./hello.mjs'])
  expect(textOf(await call(ctx, 'hello'))).toBe('ok')
  expect(plugins.reports).toEqual([
    { source: './hello.mjs', label: './hello.mjs', state: 'loaded', tools: ['hello'], problems: [] },
  ])
})

it('a module with apply adds tools, gates and sections, and gets its config', async () => {
  const { ctx, put, load } = await openBench()
  await put({
    'all.mjs': `export const name = 'all'
      export const inject = ['tools', 'systemPrompt']
      export const tools = [${tool('listed')}]
      export function apply(ctx, { word }) {
        ctx.tools.register(${tool('applied', 'word')})
        ctx.systemPrompt.section('all', 1, () => 'Say ' + word + '.')
        ctx.on('tools/execute', (exec, next) => {
          if (exec.name === 'listed') throw Object.assign(new Error('not this one'), { name: 'Refusal' })
          return next()
        })
      }`,
  })
  const plugins = await load([{ source: './all.mjs', config: { word: 'please' } }])
  expect(plugins.reports).toMatchObject([{ label: 'all', state: 'loaded', problems: [] }])
  expect(textOf(await call(ctx, 'applied'))).toBe('please')
  expect((await call(ctx, 'listed')).isError).toBe(true)
  expect((await ctx.systemPrompt.assemble()).system).toBe('Say please.')
})

it('one that throws, hangs or is no plugin is left out with the reason, and the others are there', async () => {
  const { ctx, put, load, tools, logged } = await openBench()
  await put({
    'throws.mjs': `throw new Error('no import today')`,
    'syntax.mjs': 'export const = 1',
    'hangs.mjs': 'await new Promise(() => {})',
    'empty.mjs': 'export default { apply() {} }',
    'apply.mjs': `export const inject = ['tools']
      export const apply = ctx => { ctx.tools.register(${tool('half')}); throw new Error('no start today') }`,
    'stuck.mjs': `export const inject = ['tools']
      export const apply = async ctx => { ctx.tools.register(${tool('stuck')}); await new Promise(() => {}) }`,
    'good.mjs': `export const tools = [${tool('good')}]`,
  })
  const names = ['throws', 'syntax', 'hangs', 'empty', 'apply', 'stuck', 'good']
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const loading = load(
    names.map(name => `./${name}.mjs`),
    { limitMs: 1000, orderMs: 20 },
  )
  await until(() => vi.getTimerCount() > 0)
  // The order is not waited for any longer.
  vi.advanceTimersByTime(20)
  await until(() => logged.length === 4 && tools().includes('stuck') && tools().includes('good'))
  // The time of those that hang is over, and that of ending them.
  const passTime = setInterval(() => vi.advanceTimersByTime(1000), 5)
  const plugins = await loading
  clearInterval(passTime)
  const problems = plugins.reports.map(({ problems: [problem] }) => problem)
  expect(problems).toEqual([
    'no import today',
    expect.stringContaining('Unexpected token'),
    'its import has not ended after 1 s',
    expect.stringContaining('A default export is not read'),
    'no start today',
    'its apply has not ended after 1 s',
    undefined,
  ])
  expect(plugins.reports.map(({ state }) => state)).toEqual([...Array(6).fill('failed'), 'loaded'])
  expect(tools()).toEqual(['good'])
  expect(ctx.tools.get('stuck')).toBeUndefined()
  for (const name of names.slice(0, 6)) expect(logged.join('\n')).toContain(`The plugin ./${name}.mjs could not`)
})

it('the log has one line of what cannot be imported, and the stack of what a plugin throws', async () => {
  const { put, load, logged, folder } = await openBench()
  await put({
    'node_modules/syntax/package.json': '{ "exports": "./syntax.mjs" }',
    'node_modules/syntax/syntax.mjs': 'const a = 1\nexport const = 1',
    'imports.mjs': `import 'no-such-package'`,
    'throws.mjs': `throw new SyntaxError('of its own')`,
  })
  await load(['./missing.mjs', 'syntax', './imports.mjs', './throws.mjs'])
  const lines = logged.map(line => line.replace(/^error The plugin .* could not be loaded: /, ''))
  expect(lines.slice(0, 3)).toEqual([
    `${join(folder, 'missing.mjs')} does not exist.`,
    expect.stringMatching(/^Unexpected token '='.*$/),
    expect.stringMatching(/^Cannot find package 'no-such-package' imported from .*imports\.mjs$/),
  ])
  expect(lines[3]).toMatch(/^SyntaxError: of its own\n\s+at /)
})

it('a tool whose name is taken is left out by name, and no shipped tool is replaced', async () => {
  const { ctx, put, load, tools } = await openBench()
  ctx.tools.register({ name: 'read', description: 'ours', parameters: { type: 'object' }, execute: async () => [] })
  await put({ 'two.mjs': `export const tools = [${tool('read')}, ${tool('other')}, null]` })
  const plugins = await load(['./two.mjs'])
  expect(tools()).toEqual(['read', 'other'])
  expect(ctx.tools.get('read')?.description).toBe('ours')
  expect(plugins.reports).toMatchObject([
    {
      tools: ['other'],
      problems: [
        expect.stringMatching(/^the tool read is left out: .*registered already/),
        expect.stringMatching(/^a tool without a name is left out/),
      ],
    },
  ])
})

it('a tool that throws when it is looked at costs none of the others', async () => {
  const { put, load, tools } = await openBench()
  await put({ 'trap.mjs': `export const tools = [{ get name() { throw new Error('trap') } }, ${tool('other')}]` })
  expect((await load(['./trap.mjs'])).reports[0]?.problems).toEqual(['a tool without a name is left out: trap'])
  expect(tools()).toEqual(['other'])
})

it('a plugin that needs a service nobody provides says so, and starts when another brings it', async () => {
  const { put, load, tools } = await openBench()
  const needs = `export const inject = ['weather', 'tools']
    export const apply = ctx => { ctx.tools.register(${tool('rain')}) }`
  await put({
    'needs.mjs': needs,
    'brings.mjs': `export const apply = ctx => { ctx.provide('weather', { now: 'rain' }) }`,
  })
  const alone = await load(['./needs.mjs'])
  expect(alone.reports[0]?.problems).toEqual(['it needs weather, which nothing provides'])
  await alone.close()
  const both = await load(['./needs.mjs', './brings.mjs'])
  await expect.poll(tools).toEqual(['rain'])
  expect(both.reports.map(({ problems }) => problems)).toEqual([[], []])
})

it.each([
  [
    'a standard schema',
    `{ '~standard': { validate: given => typeof given.word === 'string' ? { value: { word: given.word + '!' } } : { issues: [{ message: 'a word', path: ['word'] }] } } }`,
  ],
  [
    'an object that parses',
    `{ parse(given) { if (typeof given.word !== 'string') throw new Error('word: a word'); return { word: given.word + '!' } } }`,
  ],
  [
    'a function',
    `given => { if (typeof given.word !== 'string') throw new Error('word: a word'); return { word: given.word + '!' } }`,
  ],
])('the config goes through %s, known by its shape', async (_kind, schema) => {
  const { ctx, put, load } = await openBench()
  const file = (name: string) => `export const Config = ${schema}
    export const inject = ['tools']
    export const apply = (ctx, { word }) => { ctx.tools.register(${tool(name, 'word')}) }`
  await put({ 'good.mjs': file('good'), 'bad.mjs': file('bad') })
  const plugins = await load([{ source: './good.mjs', config: { word: 'hi' } }, './bad.mjs'])
  expect(textOf(await call(ctx, 'good'))).toBe('hi!')
  expect(plugins.reports[1]).toMatchObject({ state: 'failed', problems: ['its config does not fit: word: a word'] })
})

it('errors and promises of a plugin with another copy of the library are known by what they carry', async () => {
  const { ctx, put, load } = await openBench()
  await put({
    'copy.mjs': `class ToolError extends Error {
        code = 'ITS_OWN'
        meta = { answer: 42 }
        content = [{ type: 'text', text: 'own words' }];
        [Symbol.for('deckhand.error')] = true;
        [Symbol.for('deckhand.tool-error')] = true
      }
      const late = { then(resolve) { resolve() } }
      export const tools = [
        { ...${tool('fails')}, execute() { throw new ToolError('x') } },
        { ...${tool('late')}, validate: () => late },
      ]`,
  })
  await load(['./copy.mjs'])
  expect(await call(ctx, 'fails')).toMatchObject({ error: { code: 'ITS_OWN' }, meta: { answer: 42 } })
  expect(textOf(await call(ctx, 'fails'))).toBe('own words')
  // A check that answers later would let the call through.
  expect((await call(ctx, 'late')).error?.code).toBe('INVALID_TOOL')
})

it('without a list nothing is looked for', async () => {
  const { load } = await openBench()
  const plugins = await load([], { folder: undefined })
  expect(plugins.reports).toEqual([])
})
