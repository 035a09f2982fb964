import { existsSync, readdirSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { createHost } from '../../src/bridge/host-plugins.js'
import { rehearse } from '../../src/bridge/rehearse.js'
import { toClientProfile } from '../../src/bridge/render/profile.js'
import { text } from '../../src/cards/index.js'
import { makeDirectory } from '../support/directory.js'

it('a rehearsal draws each tool’s cards, and runs, asks, tells and writes nothing', async () => {
  const stateDir = makeDirectory('state')
  const seen: string[] = []
  const host = createHost([], (...parts) => seen.push(`log ${parts.join(' ')}`), { stateDir })
  onTestFinished(() => host.close())
  await host.ready
  host.ctx.on('tools/execute', (_exec, next) => {
    seen.push('gate')
    return next()
  })
  host.ctx.on('tools/wait', () => void seen.push('wait'))
  host.ctx.tools.register({
    name: 'drawn',
    description: '',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    execute: async () => {
      seen.push('body')
      return [text('ok')]
    },
    presentCall: args => {
      seen.push(`call ${JSON.stringify(args)}`)
      return { card: 'generic', title: 'drawn' }
    },
    presentResult: () => {
      seen.push('result')
      return { card: 'generic' }
    },
  })
  await rehearse(host.ctx, toClientProfile(undefined), new AbortController().signal)
  await host.ctx.permissions.warm()
  expect(new Set(seen)).toEqual(new Set(['call {"word":"word"}', 'result']))
  expect(existsSync(stateDir) ? readdirSync(stateDir) : []).toEqual([])
  seen.length = 0
  await rehearse(host.ctx, toClientProfile(undefined), AbortSignal.abort())
  expect(seen).toEqual([])
})
