import { describe, expect, it } from 'vitest'
import { call, calls, DROP, MODEL, say, speak } from '../../fixtures/model-server/index.js'
import { putConfig, requestText, said } from '../support/conversation.js'
import { makeDirectory } from '../support/directory.js'
import { openLocalModelAgent, protocols, shareLocalModelAgent, startModel } from '../support/model-agent.js'

const TOO_LONG = {
  status: 400,
  type: 'invalid_request_error',
  message: 'prompt is too long: 250000 tokens > 200000 maximum, the maximum context length',
}
const SOON = { 'retry-after-ms': '20' }
const failure = (status: number, type: string, message: string, headers = {}) => ({ status, type, message, headers })

describe.each(protocols)('%s', protocol => {
  const withModel = shareLocalModelAgent(protocol)
  const name = protocol

  it.each([
    [
      '429 with Retry-After',
      failure(429, 'rate_limit_error', 'Slow down.', { 'retry-after': '1' }),
      /too many requests/,
    ],
    ['an overload', failure(503, 'overloaded_error', 'Overloaded', SOON), /no capacity/],
    ['a fault of the server', failure(500, 'api_error', 'Internal server error', SOON), /error 500/],
    ['a connection that breaks before it answers', { parts: [speak([DROP])] }, /Trying again|Asking again/],
  ])('%s is waited out with a word, and the answer comes', async (_, first, words) => {
    const { agent, server } = withModel(first, say('Here I am.'))
    const sessionId = await agent.newSession(makeDirectory())
    expect((await agent.prompt(sessionId, 'hello')).result).toEqual({ stopReason: 'end_turn' })
    expect(said(agent, sessionId)).toBe('Here I am.')
    expect(said(agent, sessionId, 'thought')).toMatch(words)
    expect(server.requests).toHaveLength(2)
  })

  it.each([
    [
      'a wait of an hour',
      failure(429, 'rate_limit_error', 'Daily limit.', { 'retry-after': '3600' }),
      /60 minutes.*Daily limit/,
    ],
    ['an over-long context', TOO_LONG, /longer than .* takes.*new thread/],
    [
      'a request that it does not take',
      failure(400, 'invalid_request_error', 'No such thing'),
      /did not take the request.*No such thing/,
    ],
    [
      'an error in mid-answer',
      say(['Well, ', { error: { type: 'overloaded_error', message: 'Overloaded' } }]),
      /Well, .*no capacity/s,
    ],
    ['a connection that breaks in mid-answer', say(['Well, ', DROP]), /Well, .*lost in mid-answer/s],
    ['a refusal', say('I will', { stop: 'filter' }), /I will.*Word the prompt differently/s],
    ['an empty answer', { parts: [] }, /empty answer/],
  ])('%s is told in readable words, and the next prompt works', async (_, first, words) => {
    const { agent, server } = withModel(first, say('Next.'))
    const sessionId = await agent.newSession(makeDirectory())
    expect((await agent.prompt(sessionId, 'hello')).result).toEqual({ stopReason: 'end_turn' })
    const told = said(agent, sessionId)
    expect(told).toMatch(words)
    expect(told).not.toMatch(/fake-key|\n\s+at |undefined|\[object/)
    const from = agent.frames.length
    expect((await agent.prompt(sessionId, 'again')).result).toEqual({ stopReason: 'end_turn' })
    expect(said(agent, sessionId, 'message', from)).toBe('Next.')
    // What Deckhand says about the fault is no part of the conversation.
    expect(requestText(server.requests[1]!)).not.toMatch(
      /no capacity|mid-answer|Word the prompt|did not take|empty answer/,
    )
  })

  it('an answer that breaks off inside a call closes its card, runs nothing, and is asked for again', async () => {
    const write = (end: (string | typeof DROP)[]) => call('write', ['{"path":"n.txt","content":"x', ...end])
    const { agent } = withModel(calls(write([DROP])), say('Better not.'))
    const sessionId = await agent.newSession(makeDirectory())
    expect((await agent.prompt(sessionId, 'hello')).result).toEqual({ stopReason: 'end_turn' })
    const statuses = agent.updates(sessionId).flatMap(({ toolCallId, status }) => (toolCallId ? [status] : []))
    expect(statuses).toEqual(['pending', 'failed'])
    expect(said(agent, sessionId)).toBe('Better not.')
  })

  it('an answer that is cut by its length ends the turn as such, and a call in it does not run', async () => {
    const { agent } = withModel(
      { parts: [speak('Let me'), call('bash', '{"command":"touch ran')], stop: 'length' },
      say('Next.'),
    )
    const sessionId = await agent.newSession(makeDirectory())
    expect((await agent.prompt(sessionId, 'hello')).result).toEqual({ stopReason: 'max_tokens' })
    expect((await agent.prompt(sessionId, 'go on')).result).toEqual({ stopReason: 'end_turn' })
  })

  it('a rejected key is an error of the protocol that names the way to log in', async () => {
    const server = await startModel()
    const agent = await openLocalModelAgent(server, protocol, { key: 'wrong-key-0123456789' })
    const sessionId = await agent.newSession(makeDirectory())
    const { error } = await agent.prompt(sessionId, 'hello')
    expect(error).toMatchObject({ code: -32000, data: { details: expect.stringMatching(`${name} rejected the key`) } })
    expect(error.data.details).toMatch(/deckhand login/)
    expect(JSON.stringify(agent.frames)).not.toContain('wrong-key')
    expect((await agent.prompt(sessionId, '!echo still here')).result).toEqual({ stopReason: 'end_turn' })
  })

  it('an unknown model is told with its name and the place', async () => {
    const server = await startModel()
    const agent = await openLocalModelAgent(server, protocol, { model: 'other-model' })
    const sessionId = await agent.newSession(makeDirectory())
    expect((await agent.prompt(sessionId, 'hello')).result).toEqual({ stopReason: 'end_turn' })
    expect(said(agent, sessionId)).toMatch(/does not offer other-model at 127\.0\.0\.1:\d+\. Choose another model/)
  })

  it('usage is told after each step where the window is known', async () => {
    const usage = { input: 1000, output: 50 }
    const server = await startModel(
      { ...calls(call('glob', { pattern: '*' })), usage },
      say('ok', { usage: { input: 2000, output: 10, cacheRead: 900 } }),
    )
    const env = putConfig(`models: [{id: ${protocol}/${MODEL}, contextSize: 100000, price: {input: 1, output: 10}}]\n`)
    const agent = await openLocalModelAgent(server, protocol, { env })
    const sessionId = await agent.newSession(makeDirectory())
    expect((await agent.prompt(sessionId, 'hello')).result).toEqual({ stopReason: 'end_turn' })
    const told = agent.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === 'usage_update')
    expect(told.map(({ used, size }) => [used, size])).toEqual([
      [1050, 100_000],
      [2010, 100_000],
    ])
    expect(told[1].cost).toMatchObject({ amount: expect.closeTo(0.0036), currency: 'USD' })
  })
})

it('plain words without a key get one helpful answer', async () => {
  const agent = await openLocalModelAgent(undefined, 'openai')
  const sessionId = await agent.newSession(makeDirectory())
  expect((await agent.prompt(sessionId, 'fix the bug')).result).toEqual({ stopReason: 'end_turn' })
  const messages = agent.updates(sessionId).filter(({ sessionUpdate }) => /message_chunk/.test(sessionUpdate))
  expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(1)
  expect(said(agent, sessionId)).toMatch(/No model is configured.*deckhand login.*API_KEY/s)
})
