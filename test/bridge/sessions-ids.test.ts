import { methods } from '@agentclientprotocol/sdk'
import { expect, it } from 'vitest'
import { connect } from './connected-agent.js'

it('a call gets an id that no call of the session had, however often the session was loaded', async () => {
  const { connection, cwd, newSession, prompt, updates } = await connect()
  const sessionId = await newSession()
  const made: string[] = []
  for (const calls of [5, 3, 2, 4]) {
    const before = updates(sessionId).length
    for (let call = 0; call < calls; call++) await prompt(sessionId, '/glob *.none')
    for (const update of updates(sessionId).slice(before)) {
      if (update.sessionUpdate === 'tool_call') made.push(update.toolCallId)
    }
    await connection.agent.request(methods.agent.session.close, { sessionId })
    await connection.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
  }
  expect(made).toHaveLength(14)
  expect(new Set(made).size).toBe(14)
})
