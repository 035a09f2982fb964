import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { call, calls } from '../../fixtures/model-server/index.js'
import { isQuestion } from '../support/conversation.js'
import { putTree } from '../support/tree.js'
import { openModelAgent, startModel } from './model-support.js'
import { cards, makeDirectory } from './support.js'

const HARM = calls(
  call('write', { path: 'new.txt', content: 'x\n' }),
  call('edit', { path: 'old.txt', old_string: 'old', new_string: 'new' }),
  call('bash', { command: 'touch ran' }),
  call('bash', { command: 'echo x > ran' }),
)

it('with a model and no answer from the client nothing is written and no command runs', async () => {
  const cwd = makeDirectory()
  await putTree(cwd, { 'old.txt': 'old\n' })
  const server = await startModel(HARM)
  const agent = await openModelAgent(server, 'openai')
  const sessionId = await agent.newSession(cwd)
  agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
  await agent.frame(frame => isQuestion(frame, sessionId))
  // Whatever else the agent would do without an answer comes before the answer to this.
  await agent.request('session/list')
  expect(cards(agent.updates(sessionId)).map(({ fields }) => fields.status)).toEqual(Array(4).fill('pending'))
  expect(await agent.end()).toMatchObject({ code: 0 })
  expect(readdirSync(cwd)).toEqual(['old.txt'])
  expect(readFileSync(join(cwd, 'old.txt'), 'utf8')).toBe('old\n')
})
