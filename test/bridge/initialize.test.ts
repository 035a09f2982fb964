import { describe, expect, it } from 'vitest'
import { cards, contentText } from '../support/cards.js'
import { makeDirectory } from '../support/directory.js'
import { shareLocalAgent, startLocalAgent } from '../support/local-agent.js'

const shared = shareLocalAgent()

describe('initialize', () => {
  it.each([
    ['nothing but the version', { protocolVersion: 1 }],
    ['a version of the future', { protocolVersion: 99 }],
    ['version 0', { protocolVersion: 0 }],
    ['null capabilities', { protocolVersion: 1, clientCapabilities: null, _meta: null }],
    ['capabilities with null _meta', { protocolVersion: 1, clientCapabilities: { _meta: null, fs: null } }],
    [
      'capabilities nobody knows',
      { protocolVersion: 1, clientCapabilities: { telepathy: { depth: 3 } }, clientInfo: null },
    ],
    ['terminal_output as text', { protocolVersion: 1, clientCapabilities: { _meta: { terminal_output: 'true' } } }],
  ])(
    'with %s is answered with version 1, and a session works as at a client without terminals',
    async (_what, params) => {
      const agent = await startLocalAgent()
      const { result } = await agent.request('initialize', params)
      expect(result).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'deckhand' }, authMethods: [] })
      const sessionId = await agent.newSession(makeDirectory())
      await agent.prompt(sessionId, '!echo hi')
      const [card] = cards(agent.updates(sessionId))
      expect(card?.terminal).toBeUndefined()
      expect(contentText(card!)).toBe('```console\nhi\n```')
    },
  )

  it('without a version is refused with the reason, and can be sent again', async () => {
    const agent = await startLocalAgent()
    const { error } = await agent.request('initialize', {})
    expect(error).toMatchObject({ code: -32602, data: { details: expect.stringContaining('protocolVersion') } })
    expect((await agent.initialize()).result).toMatchObject({ protocolVersion: 1 })
  })

  it('twice is answered twice', async () => {
    const agent = shared()
    expect((await agent.initialize()).result).toMatchObject({ protocolVersion: 1 })
  })

  it('advertises what it serves: each session method that it names answers', async () => {
    const agent = await startLocalAgent()
    const { agentCapabilities } = (await agent.initialize()).result
    expect(agentCapabilities).toMatchObject({ loadSession: true, promptCapabilities: { image: false, audio: false } })
    expect(agentCapabilities.mcpCapabilities).toEqual({ http: true, sse: true })
    for (const method of Object.keys(agentCapabilities.sessionCapabilities)) {
      if (method === 'additionalDirectories') continue
      const params = method === 'list' ? {} : { sessionId: 'none', cwd: '/', mcpServers: [] }
      const { error } = await agent.request(`session/${method}`, params)
      expect(error?.code).not.toBe(-32601)
    }
  })
})

it.each([['anything'], ['']])('authenticate with the method %j answers {}: nothing is needed', async methodId => {
  const agent = shared()
  expect((await agent.request('authenticate', { methodId })).result).toEqual({})
})

it('MCP servers of a client are no reason to refuse a session', async () => {
  const agent = shared()
  const mcpServers = [
    { name: 'a', command: '/no/such/program', args: [], env: [] },
    { type: 'http', name: 'b', url: 'http://127.0.0.1:9/', headers: [] },
  ]
  const sessionId = await agent.newSession(makeDirectory(), { mcpServers })
  expect((await agent.prompt(sessionId, '!true')).result).toEqual({ stopReason: 'end_turn' })
})

it('commands are sent right after the answers to new, load and resume, with a hint exactly where one is needed', async () => {
  const agent = shared()
  const cwd = makeDirectory()
  const sessionId = await agent.newSession(cwd)
  await agent.prompt(sessionId, '!true')
  await agent.request('session/close', { sessionId })
  for (const method of ['session/load', 'session/resume', 'session/new']) {
    const answer = await agent.request(method, { sessionId, cwd, mcpServers: [] })
    const { params } = await agent.frame(
      frame => frame.method && agent.frames.indexOf(frame) > agent.frames.indexOf(answer),
    )
    expect(params.update.sessionUpdate).toBe('available_commands_update')
    for (const command of params.update.availableCommands) {
      const needsOne = !['help', 'tools', 'undo', 'reload'].includes(command.name)
      expect({ name: command.name, hint: command.input?.hint }).toEqual({
        name: command.name,
        hint: needsOne ? expect.stringMatching(/^\//) : undefined,
      })
      expect(command.description).toContain(command.input?.hint ?? `/${command.name}`)
    }
    if (method !== 'session/new') await agent.request('session/close', { sessionId })
  }
})
