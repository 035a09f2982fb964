import { expect, it } from 'vitest'
import { call, calls, say } from '../../fixtures/model-server/index.js'
import { cards } from '../support/cards.js'
import { requestText } from '../support/conversation.js'
import { makeDirectory } from '../support/directory.js'
import { openLocalModelAgent, startModel } from '../support/model-agent.js'
import { putTree } from '../support/tree.js'

it('a model that uses the same ids again and again, and calls no end a call, has a card for each call', async () => {
  const cwd = makeDirectory()
  await putTree(cwd, { 'a.txt': 'one\n', 'b.txt': 'two\n' })
  const server = await startModel(
    calls(call('read', { path: 'a.txt' }, 'call_0'), call('read', { path: 'b.txt' }, 'call_1')),
    { ...calls(call('read', { path: 'b.txt' }, 'call_0')), stop: 'end' },
    say('done'),
  )
  const agent = await openLocalModelAgent(server, 'openai')
  const sessionId = await agent.newSession(cwd)
  expect((await agent.prompt(sessionId, 'read')).result).toEqual({ stopReason: 'end_turn' })
  expect(cards(agent.updates(sessionId)).map(({ fields }) => [fields.title, fields.status])).toEqual([
    [expect.stringContaining('a.txt'), 'completed'],
    [expect.stringContaining('b.txt'), 'completed'],
    [expect.stringContaining('b.txt'), 'completed'],
  ])
  expect(requestText(server.requests[2]!).split('two').length - 1).toBe(2)
})
