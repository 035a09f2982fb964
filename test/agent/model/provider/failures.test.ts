import { expect, it } from 'vitest'
import { openModel } from '../../../../src/agent/model/provider/index.js'
import {
  type Answer,
  collect,
  delta,
  events,
  failureOf,
  json,
  makeSettings,
  openChat,
  says,
  startServer,
} from './support.js'

const openai = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } })

/** A status, what comes with it, the code it becomes, and words of the message that name the next step. */
const ANSWERS: [string, Answer, string, RegExp][] = [
  [
    'a rejected key',
    json(401, openai('Incorrect API key provided: sk-test-0123456789.', { code: 'invalid_api_key' })),
    'MODEL_AUTH',
    /Correct OPENAI_API_KEY.*deckhand login openai/,
  ],
  ['a key without permission', json(403, openai('No access')), 'MODEL_AUTH', /Choose another model/],
  [
    'an unknown model',
    json(404, openai('The model `fake-model` does not exist', { code: 'model_not_found' })),
    'MODEL_UNKNOWN',
    /does not offer fake-model.*Choose another model/,
  ],
  ['an unknown model as a bad request', json(400, openai('Model Not Exist')), 'MODEL_UNKNOWN', /check the name/],
  [
    'a used-up quota',
    json(429, openai('You exceeded your current quota', { code: 'insufficient_quota' })),
    'MODEL_RATE_LIMITED',
    /no credit or quota left/,
  ],
  ['an empty balance', json(402, openai('Insufficient Balance')), 'MODEL_RATE_LIMITED', /no credit/],
  [
    'a long wait',
    json(429, openai('Slow down'), { 'retry-after': '900' }),
    'MODEL_RATE_LIMITED',
    /Send the prompt again in 15 minutes/,
  ],
  [
    'a prompt over the window',
    json(400, openai('This model’s maximum context length is 8192 tokens', { code: 'context_length_exceeded' })),
    'MODEL_CONTEXT_TOO_LONG',
    /\/compact/,
  ],
  ['a body over the limit', json(413, {}), 'MODEL_CONTEXT_TOO_LONG', /\/compact/],
  ['a refusal', json(400, openai('Blocked', { code: 'content_filter' })), 'MODEL_REFUSED', /Word the prompt/],
  ['a bad request', json(400, openai('Unsupported value: top_k')), 'MODEL_FAILED', /Unsupported value: top_k/],
  ['a plain text', response => response.writeHead(418).end('teapot'), 'MODEL_FAILED', /teapot/],
  [
    'a web page',
    response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>login</html>'),
    'MODEL_FAILED',
    /web page.*ends in \/v1/,
  ],
  ['a document in place of a stream', json(200, { choices: [] }), 'MODEL_FAILED', /without a stream/],
  ['an error with status 200', json(200, openai('maximum context length')), 'MODEL_CONTEXT_TOO_LONG', /new thread/],
]

it.each(ANSWERS)('%s is told at once, with what to do next', async (_, answer, code, words) => {
  const server = await startServer(answer)
  const failure = await failureOf(openChat(server.url).then(model => collect(model)))
  expect(failure).toMatchObject({ name: 'HarnessError', code })
  expect(failure.message).toMatch(words)
  expect(failure.message).not.toContain('0123456789')
  expect(failure.message).not.toMatch(/node_modules|\n/)
  expect(server.requests).toHaveLength(1)
})

it.each([
  ['too many requests', json(429, openai('Slow down')), /too many requests/],
  ['an asked-for wait', json(429, openai('Slow down'), { 'retry-after-ms': '5' }), /too many requests/],
  ['a server error', json(500, {}), /error 500/],
  ['no capacity', json(503, { error: { message: 'Overloaded' } }), /no capacity/],
  ['an error in the stream before any content', events({ error: { message: 'Overloaded' } }), /no capacity/],
  ['a stream without an end', events(), /broke off/],
  ['a connection that breaks', response => response.destroy(), /lost connection/],
] as [string, Answer, RegExp][])('%s is tried again, with a notice, and then works', async (_, answer, words) => {
  const server = await startServer(answer, answer, says('fine'))
  const parts = await collect(await openChat(server.url))
  expect(parts.map(part => part.type)).toEqual(['notice', 'notice', 'text', 'finish'])
  expect(parts[0]).toMatchObject({ text: expect.stringMatching(words) })
  expect(parts[0]).toMatchObject({ text: expect.stringMatching(/Trying again in \d+ s \(try 2 of 5\)/) })
})

it('an address with https of a server that speaks http is told so, and asked once', async () => {
  const server = await startServer(json(200, {}))
  const failure = await failureOf(openChat(server.url.replace('http:', 'https:')).then(model => collect(model)))
  expect(failure).toMatchObject({ code: 'MODEL_UNREACHABLE' })
  expect(failure.message).toMatch(/does not answer as a server of https.*begins with http or https/)
})

it('tries end after the fifth, with the last failure', async () => {
  const server = await startServer(json(503, {}))
  const model = await openChat(server.url)
  expect(await failureOf(collect(model))).toMatchObject({ code: 'MODEL_OVERLOADED' })
  expect(server.requests).toHaveLength(5)
})

it('waits end when all of them together would be too long', async () => {
  const server = await startServer(json(429, {}, { 'retry-after-ms': '20' }))
  const model = await openChat(server.url, { retry: { totalWaitMs: 50 } })
  expect(await failureOf(collect(model))).toMatchObject({ code: 'MODEL_RATE_LIMITED' })
  expect(server.requests).toHaveLength(3)
})

it.each([
  ['breaks', (response => setImmediate(() => response.destroy())) as Answer, 'MODEL_STREAM_DROPPED'],
  ['ends without a reason', (response => response.end()) as Answer, 'MODEL_STREAM_DROPPED'],
  [
    'reports an error',
    (response => response.end('data: {"error":{"message":"The server is overloaded"}}\n\n')) as Answer,
    'MODEL_OVERLOADED',
  ],
  ['turns into nonsense', (response => response.end('data: {"choices": 7}\n\n')) as Answer, 'MODEL_FAILED'],
])('a stream that %s in mid-content is an error and is not asked for twice', async (_, end, code) => {
  const server = await startServer(async (response, request) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await new Promise(sent => response.write(`data: ${JSON.stringify(delta({ content: 'half' }))}\n\n`, sent))
    await end(response, request)
  })
  const seen: string[] = []
  const stream = async () => {
    const model = await openChat(server.url)
    for await (const part of model.stream(
      { system: '', prompt: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }], tools: [] },
      new AbortController().signal,
    )) {
      seen.push(part.type)
    }
  }
  expect(await failureOf(stream())).toMatchObject({ code })
  expect(seen).toEqual(['text'])
  expect(server.requests).toHaveLength(1)
})

it('a DeepSeek stream that ends within a call never passes for a whole answer', async () => {
  const call = { index: 0, id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"rm ' } }
  const server = await startServer(events(delta({ role: 'assistant', tool_calls: [call] })))
  const providers = { deepseek: { baseUrl: server.url, headers: {}, models: [] } }
  const settings = makeSettings({ env: { DEEPSEEK_API_KEY: 'k' }, config: { providers } })
  const model = await openModel({ provider: 'deepseek', model: 'deepseek-flash' }, settings)
  expect(await failureOf(collect(model))).toMatchObject({ code: 'MODEL_STREAM_DROPPED' })
})

it("Anthropic's errors, before and in the stream, have the same codes", async () => {
  const error = (type: string, message: string) => ({ type: 'error', error: { type, message } })
  const cases: [Answer, string][] = [
    [json(401, error('authentication_error', 'invalid x-api-key')), 'MODEL_AUTH'],
    [json(404, error('not_found_error', 'model: claude-x')), 'MODEL_UNKNOWN'],
    [json(400, error('invalid_request_error', 'prompt is too long: 210000 tokens > 200000')), 'MODEL_CONTEXT_TOO_LONG'],
    [json(400, error('invalid_request_error', 'Your credit balance is too low')), 'MODEL_RATE_LIMITED'],
    [json(529, error('overloaded_error', 'Overloaded')), 'MODEL_OVERLOADED'],
    [events(error('overloaded_error', 'Overloaded')), 'MODEL_OVERLOADED'],
  ]
  for (const [answer, code] of cases) {
    const server = await startServer(answer)
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' }
    const model = await openModel(
      { provider: 'anthropic', model: 'claude-x' },
      makeSettings({ env, retry: { tries: 2 } }),
    )
    expect(await failureOf(collect(model))).toMatchObject({ code })
  }
})

it('a model that takes tools only without thinking is asked again without, and once only', async () => {
  const refusal = json(
    400,
    openai('Function tools with reasoning_effort are not supported. Set reasoning_effort to none.', {
      param: 'reasoning_effort',
    }),
  )
  const server = await startServer(refusal, says('fine'), says('again'))
  const tools = [{ name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } }]
  const request = {
    system: '',
    prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] }],
    tools,
  }
  const first = await collect(await openChat(server.url), request)
  expect(first.map(part => part.type)).toEqual(['notice', 'text', 'finish'])
  const second = await collect(await openChat(server.url), request)
  expect(second.map(part => part.type)).toEqual(['text', 'finish'])
  expect(server.requests.map(({ body }) => body.reasoning_effort)).toEqual([undefined, 'none', 'none'])
})
