import { describe, expect, it } from 'vitest'
import { createModelSource } from '../../../src/agent/model/model-source.js'
import { rehearse } from '../../../src/agent/model/rehearse.js'
import { rawTool, startRegistry } from '../../registry/support.js'
import { ask, collect, makeSettings } from './provider/support.js'

const env = {
  OPENAI_API_KEY: 'k',
  ANTHROPIC_API_KEY: 'k',
  DEEPSEEK_API_KEY: 'k',
  OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
}
const providers = ['openai', 'anthropic', 'deepseek']

describe.each(providers)('a rehearsed model of %s', provider => {
  const canned = () => createModelSource(makeSettings({ env })).canned({ provider, model: 'm' })

  it('answers by itself with words and a call, in a form that the provider’s package takes', async () => {
    const tools = [{ name: 'look', description: '', parameters: { type: 'object' } }]
    const parts = await collect(await canned(), ask('a', { tools }))
    expect(parts.flatMap(part => (part.type === 'text' ? part.text : [])).join('')).toBe('A word.')
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'call', name: 'look', arguments: '{"path":"a","command":"a"}' }),
    )
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' })
  })

  it('calls every shipped tool, of which none runs, and comes to its end', async () => {
    const ctx = await startRegistry()
    const drawn: string[] = []
    for (const name of ['one', 'two', 'three']) {
      const draw = () => {
        drawn.push(name)
        return { card: 'generic' as const, title: name }
      }
      const execute = () => Promise.reject(new Error('it ran'))
      ctx.tools.register(rawTool(name, { execute, presentPartial: draw }))
    }
    ctx.tools.markShipped()
    const plugins = () => {
      drawn.push('a plugin’s')
      return undefined
    }
    ctx.tools.register(rawTool('four', { presentPartial: plugins, presentCall: plugins, validate: plugins }))
    const tools = ctx.tools.forSession(undefined)
    await rehearse(await canned(), tools, '/', new AbortController().signal)
    expect(new Set(drawn)).toEqual(new Set(['one', 'two', 'three']))
    const before = drawn.length
    await rehearse(await canned(), tools, '/', AbortSignal.abort())
    expect(drawn).toHaveLength(before)
  })
})
