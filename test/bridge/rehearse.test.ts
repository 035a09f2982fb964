import { existsSync, readdirSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { createHost } from '../../src/bridge/host-plugins.js'
import { rehearse } from '../../src/bridge/rehearse.js'
import { toClientProfile } from '../../src/bridge/render/profile.js'
import { text } from '../../src/cards/index.js'
import type { ToolDefinition } from '../../src/registry/index.js'
import { makeDirectory } from '../support/directory.js'
import { connect } from './connected-agent.js'

/** A tool that tells `seen` of each of its parts that runs. */
function watchedTool(name: string, seen: string[]): ToolDefinition {
  return {
    name,
    description: '',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    validate: () => void seen.push(`${name} validate`),
    execute: async () => {
      seen.push(`${name} body`)
      return [text('ok')]
    },
    presentCall: args => {
      seen.push(`${name} call ${JSON.stringify(args)}`)
      return { card: 'generic', title: name }
    },
    presentPartial: () => {
      seen.push(`${name} partial`)
      return undefined
    },
    presentResult: () => {
      seen.push(`${name} result`)
      return { card: 'generic' }
    },
    effects: () => {
      seen.push(`${name} effects`)
      return {}
    },
  }
}

it('a rehearsal runs the presenters of shipped tools alone, and runs, asks, tells and writes nothing', async () => {
  const stateDir = makeDirectory('state')
  const seen: string[] = []
  const own = {
    name: 'own',
    inject: ['tools'],
    apply: (ctx: { tools: { register(tool: ToolDefinition): unknown } }) => {
      ctx.tools.register(watchedTool('shipped', seen))
    },
  }
  const host = createHost([own as never], (...parts) => seen.push(`log ${parts.join(' ')}`), { stateDir })
  onTestFinished(() => host.close())
  await host.ready
  host.ctx.on('tools/execute', (_exec, next) => {
    seen.push('gate')
    return next()
  })
  host.ctx.on('tools/wait', () => void seen.push('wait'))
  host.ctx.on('permissions/mode', () => void seen.push('mode'))
  host.ctx.tools.register(watchedTool('plugin', seen))
  host.ctx.tools.register({ ...watchedTool('odd', seen), parameters: { type: 'object', properties: { a: true } } })
  const { signal } = new AbortController()
  await rehearse(host.ctx, toClientProfile(undefined), signal)
  await host.ctx.permissions.warm(signal)
  const parts = ['validate', 'call {"word":"word"}', 'result', 'effects']
  expect(new Set(seen)).toEqual(new Set(parts.map(part => `shipped ${part}`)))
  expect(existsSync(stateDir) ? readdirSync(stateDir) : []).toEqual([])
  seen.length = 0
  await rehearse(host.ctx, toClientProfile(undefined), AbortSignal.abort())
  await host.ctx.permissions.warm(AbortSignal.abort())
  expect(seen.filter(part => !part.endsWith('validate'))).toEqual([])
})

it('a driver that fails to warm up is nobody’s business before the first prompt', async () => {
  let hasWarmed = () => {}
  const warmed = new Promise<void>(resolve => {
    hasWarmed = resolve
  })
  const { newSession, prompt, logged } = await connect({
    driver: () => ({
      // biome-ignore lint/correctness/useYield: it has nothing to say.
      async *run() {
        return 'end_turn' as const
      },
      warm: () => {
        hasWarmed()
        throw new Error('not today')
      },
    }),
  })
  const id = await newSession()
  await warmed
  expect(await prompt(id, 'hi')).toBe('end_turn')
  expect(logged.filter(line => line.includes('not today'))).toEqual([])
})

it('a rehearsal ends with the agent', async () => {
  const seen: string[] = []
  const { agent, newSession } = await connect({
    driver: () => ({
      // biome-ignore lint/correctness/useYield: it has nothing to say.
      async *run() {
        return 'end_turn' as const
      },
      warm: async signal => {
        seen.push(signal.aborted ? 'too late' : 'begun')
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        seen.push('ended')
      },
    }),
  })
  await newSession()
  await expect.poll(() => seen).toEqual(['begun'])
  await agent.close()
  expect(seen).toEqual(['begun', 'ended'])
})
