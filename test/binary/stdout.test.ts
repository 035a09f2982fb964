import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { cards, contentText, makeDirectory, openAgent } from './support.js'

const plugin = resolve(import.meta.dirname, '../../fixtures/programs/noisy-plugin.mjs')

it('nothing that a plugin writes, by itself or by its children, meets the protocol, and none of it is lost (B69)', async () => {
  const agent = await openAgent('plain', { args: ['acp', '--plugin', plugin] })
  const sessionId = await agent.newSession(makeDirectory())
  expect((await agent.prompt(sessionId, '/noise')).result).toEqual({ stopReason: 'end_turn' })
  const [card] = cards(agent.updates(sessionId))
  expect(card?.fields.status).toBe('completed')
  expect(contentText(card!)).toBe('said it all')
  expect(JSON.stringify(agent.frames)).not.toContain('noise start')
  const log = agent.log()
  for (const where of ['start', 'call']) {
    for (const how of ['log', 'info', 'group', 'write', 'bytes', 'end', 'worker'])
      expect(log).toContain(`noise ${where} ${how}`)
  }
  // The children that would have inherited stdin could not read from it: the connection is whole.
  expect((await agent.request('session/list')).result.sessions).toHaveLength(1)
  expect(await agent.end()).toEqual({ code: 0, signal: null })
})
