import { resolve } from 'node:path'
import { type CreateElicitationRequest, methods, type NewSessionResponse } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { type ConnectOptions, connect } from './connected-agent.js'

const PLAIN = resolve(import.meta.dirname, '../../fixtures/mcp/plain/server.mjs')
const CALL =
  '/call mcp__plain__ask {"schema":{"type":"object","properties":{"colour":{"type":"string","enum":["red","blue"]}}}}'

async function ask(options: ConnectOptions): Promise<string> {
  const agent = await connect(options)
  const mcpServers = [{ name: 'plain', command: process.execPath, args: [PLAIN], env: [] }]
  const params = { cwd: agent.cwd, mcpServers }
  const { sessionId } = await agent.connection.agent.request<NewSessionResponse>(methods.agent.session.new, params)
  expect(await agent.prompt(sessionId, CALL)).toBe('end_turn')
  return JSON.stringify(agent.updates(sessionId).filter(update => update.sessionUpdate === 'tool_call_update'))
}

test('a server’s question in a call is a form on that call', async () => {
  const forms: CreateElicitationRequest[] = []
  const shown = await ask({
    capabilities: { elicitation: { form: {} } },
    serve: app => {
      app.onRequest(methods.client.elicitation.create, ({ params }) => {
        forms.push(params)
        return { action: 'accept', content: { answer: 'blue' } }
      })
    },
  })
  expect(forms[0]).toMatchObject({ message: 'plain asks: Which?', toolCallId: expect.any(String) })
  expect(shown).toContain(String.raw`\"colour\":\"blue\"`)
})

test('at a client without forms it is declined, and the call goes on', async () => {
  const shown = await ask({})
  expect(shown).toContain(String.raw`\"action\":\"decline\"`)
})
