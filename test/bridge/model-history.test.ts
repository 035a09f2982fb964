import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { call, calls, MODEL, say, speak, think } from '../../fixtures/model-server/index.js'
import type { AgentClient } from '../support/agent-client.js'
import { plainMessages, putConfig, requestText, said } from '../support/conversation.js'
import { makeDirectory } from '../support/directory.js'
import { openLocalModelAgent, protocols, startModel } from '../support/model-agent.js'

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WINDOW = 20_000

it.each(protocols)('images and summaries stay in the conversation over compactions and agents (%s)', async protocol => {
  const cwd = makeDirectory()
  writeFileSync(join(cwd, 'dot.png'), Buffer.from(PNG, 'base64'))
  const env = putConfig(`models: [{id: ${protocol}/${MODEL}, contextSize: ${WINDOW}, images: true}]\n`)
  const server = await startModel(
    { parts: [think('An image.'), speak('I look.'), call('read', { path: 'dot.png' })] },
    say('One dot.'),
  )
  const first = await openLocalModelAgent(server, protocol, { env })
  const sessionId = await first.newSession(cwd)
  const ask = async (agent: AgentClient, text: string) => {
    expect((await agent.prompt(sessionId, text)).result).toEqual({ stopReason: 'end_turn' })
  }
  const reopen = async (method: 'load' | 'resume') => {
    const agent = await openLocalModelAgent(server, protocol, { env, stateDir: first.stateDir })
    expect((await agent.request(`session/${method}`, { sessionId, cwd, mcpServers: [] })).error).toBeUndefined()
    return agent
  }
  const last = () => requestText(server.requests.at(-1)!)
  await ask(first, 'What is in dot.png?')
  expect(last()).toContain(PNG)
  await first.end()

  // The image is there again, in the very same place.
  const second = await reopen('resume')
  server.script.push(say('Black.', { usage: { input: WINDOW * 0.9, output: 10 } }))
  await ask(second, 'Which colour?')
  expect(last().split(PNG)).toHaveLength(2)
  const before = plainMessages(server.requests[1]!)
  expect(plainMessages(server.requests[2]!).slice(0, before.length)).toEqual(before)

  // Near the end of the window the next prompt is answered from a summary.
  server.script.push(say('THE NOTES: one black dot.'), say('Yes.', { usage: { input: 500, output: 10 } }))
  await ask(second, 'Are you sure?')
  expect(server.requests).toHaveLength(5)
  expect(server.requests[3]!.body.tools ?? []).toEqual([])
  expect(requestText(server.requests[3]!)).toMatch(/What is in dot\.png\?.*One dot\./s)
  expect(last()).toContain('THE NOTES: one black dot.')
  expect(last()).toContain('Are you sure?')
  expect(last()).not.toMatch(/One dot\.|iVBOR/)
  expect(said(second, sessionId)).toContain('Yes.')

  // By hand, with calls behind the first summary.
  server.script.push(calls(call('glob', { pattern: '*.png' })), say('There it is.'))
  await ask(second, 'List it')
  server.script.push(say('MORE NOTES: listed.'))
  await ask(second, '/compact')
  expect(requestText(server.requests.at(-1)!)).toContain('THE NOTES: one black dot.')
  expect(said(second, sessionId)).toContain('goes on from a summary')
  await second.end()

  const third = await reopen('load')
  expect(said(third, sessionId)).toMatch(/One dot\..*Yes\..*There it is\./s)
  server.script.push(calls(call('read', { path: 'dot.png' })), say('Still here.'))
  await ask(third, 'Look again')
  expect(last()).toMatch(/MORE NOTES: listed\..*Look again/s)
  expect(last()).not.toMatch(/THE NOTES: one|There it is/)
  expect(last()).toContain(PNG)
  expect(server.script).toEqual([])
  await third.end()
})
