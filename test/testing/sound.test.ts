import { describe, expect, it } from 'vitest'
import { text } from '../../src/cards/index.js'
import { type ToolSample, toolContract } from '../../src/testing/index.js'
import { plugin, problemOf, sample, tool } from './broken-tools.js'

const samples: ToolSample[] = [sample, { args: { path: 'a.txt', count: 2 }, files: { 'a.txt': '' } }]

describe('a definition that keeps the contract', () => {
  for (const check of toolContract(tool(), samples)) it(check.name, check.run)
})

describe('a list of tools that keeps the contract', () => {
  for (const check of toolContract({ tools: [tool()] }, samples)) it(check.name, check.run)
})

describe('a plugin that keeps the contract', () => {
  const sound = plugin(
    async (ctx, { path }, exec) => {
      const { text: found = '' } = await ctx.files.read(exec.agent, path, exec.signal)
      return { content: [text(found)], meta: { length: found.length } }
    },
    {
      effects: ({ path }) => ({ reads: [path] }),
      presentResult: (_args, { meta }) => ({ card: 'generic', title: `${(meta as { length: number }).length}` }),
    },
  )
  for (const check of toolContract(sound, samples)) it(check.name, check.run)
})

describe('toolContract', () => {
  it('refuses to check nothing', () => {
    expect(() => toolContract(tool(), [])).toThrow(/at least one sample/)
  })

  it('says of a plugin without tools that it registers none', async () => {
    const empty = { name: 'empty', apply: () => {} }
    expect(await problemOf(empty, 'gives cards')).toMatch(/registers no tool/)
    const waiting = { name: 'waiting', inject: ['tools', 'nowhere'], apply: () => {} }
    expect(await problemOf(waiting, 'gives cards')).toMatch(/inject a service that is not there/)
  })

  it('asks which tool is meant if a plugin has several', async () => {
    const two = { tools: [tool(), { ...tool(), name: 'other' }] }
    expect(await problemOf(two, 'gives cards')).toMatch(/registers sound, other: say which is meant with options.tool/)
    expect(await problemOf(two, 'gives cards', {}, { tool: 'other' })).toBeUndefined()
    expect(await problemOf(two, 'gives cards', {}, { tool: 'third' })).toMatch(/but no third/)
  })

  it('passes on why a plugin does not start', async () => {
    const failing = {
      name: 'failing',
      apply() {
        throw new Error('no luck')
      },
    }
    expect(await problemOf(failing, 'gives cards')).toMatch(/failing does not start: no luck/)
    expect(await problemOf({ ...tool(), name: 'two words' }, 'gives cards')).toMatch(/name must be one word/)
  })

  it('gives a plugin its config and the services of other plugins', async () => {
    const configured = {
      name: 'configured',
      inject: ['tools', 'greeter'],
      apply(ctx: never, config: { word: string }) {
        const { tools, greeter } = ctx as { tools: { register(it: object): void }; greeter: { hello: string } }
        tools.register(tool({ execute: async () => [text(`${greeter.hello} ${config.word}`)] }))
      },
    }
    const greeter = {
      name: 'greeter',
      apply: (ctx: { provide(...it: unknown[]): void }) => ctx.provide('greeter', { hello: 'hi' }),
    }
    const options = { config: { word: 'you' }, plugins: [greeter as never] }
    expect(await problemOf(configured as never, 'comes out', { expect: { text: 'hi you' } }, options)).toBeUndefined()
  })
})
