import { expect, it } from 'vitest'
import { openModel } from '../../../../src/agent/model/provider/index.js'
import { ask, collect, DONE, delta, events, makeSettings, openChat, startServer, toFrame } from './support.js'

const TOOL = {
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

const call = (index: number, part: object) => delta({ tool_calls: [{ index, ...part }] })

it('a chat completion comes as thoughts, text and calls in their order, with usage at the end', async () => {
  const server = await startServer(
    events(
      ': keep-alive\n\n',
      delta({ role: 'assistant', reasoning_content: 'Hm' }),
      delta({ reasoning_content: '…' }),
      delta({ content: 'I re' }),
      delta({ content: 'ad.' }),
      call(0, { id: 'a', type: 'function', function: { name: 'read', arguments: '' } }),
      call(0, { function: { arguments: '{"pa' } }),
      call(0, { function: { arguments: 'th":"x"}' } }),
      call(1, { id: 'b', type: 'function', function: { name: 'read', arguments: '{"path":"y"}' } }),
      delta({}, 'tool_calls'),
      {
        id: 'c1',
        choices: [],
        usage: {
          prompt_tokens: 100,
          completion_tokens: 20,
          prompt_tokens_details: { cached_tokens: 60 },
          completion_tokens_details: { reasoning_tokens: 5 },
        },
      },
      DONE,
    ),
  )
  const parts = await collect(await openChat(server.url), ask('read x and y', { tools: [TOOL] }))
  expect(parts).toEqual([
    { type: 'thought', id: 'b0', text: 'Hm' },
    { type: 'thought', id: 'b0', text: '…' },
    { type: 'thought-end', id: 'b0' },
    { type: 'text', id: 'b1', text: 'I re' },
    { type: 'text', id: 'b1', text: 'ad.' },
    { type: 'call-start', id: 'a', name: 'read' },
    { type: 'call-delta', id: 'a', text: '{"pa' },
    { type: 'call-delta', id: 'a', text: 'th":"x"}' },
    { type: 'call-start', id: 'b', name: 'read' },
    { type: 'call-delta', id: 'b', text: '{"path":"y"}' },
    { type: 'call', id: 'a', name: 'read', arguments: '{"path":"x"}' },
    { type: 'call', id: 'b', name: 'read', arguments: '{"path":"y"}' },
    { type: 'finish', reason: 'tool-calls', usage: { input: 100, output: 20, cacheRead: 60, thinking: 5 } },
  ])
  const [{ url, headers, body } = {} as never] = server.requests
  expect(url).toBe('/v1/chat/completions')
  expect(headers.authorization).toBe('Bearer sk-test-0123456789')
  expect(body).toMatchObject({
    model: 'fake-model',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'read x and y' },
    ],
    tools: [{ type: 'function', function: { name: 'read', parameters: TOOL.parameters } }],
  })
  expect(body).not.toHaveProperty('reasoning_effort')
})

it.each(['', 'null', '5', '[]', '{', '{"path": "x"', '{"path":}', '{} trailing'])(
  'arguments come as the text that they are, valid or not: %j (B80)',
  async text => {
    const server = await startServer(
      events(
        call(0, { id: 'a', function: { name: 'read', arguments: text.slice(0, 2) } }),
        call(0, { function: { arguments: text.slice(2) } }),
        delta({}, 'tool_calls'),
        DONE,
      ),
    )
    const parts = await collect(await openChat(server.url), ask('x', { tools: [TOOL] }))
    expect(parts.filter(part => part.type === 'call')).toEqual([
      { type: 'call', id: 'a', name: 'read', arguments: text },
    ])
    const streamed = parts.map(part => (part.type === 'call-delta' ? part.text : '')).join('')
    expect(streamed).toBe(text)
  },
)

it('text that was cut inside a UTF-8 sequence arrives whole', async () => {
  const bytes = Buffer.from(toFrame(delta({ content: 'grüße 🚢' })))
  const server = await startServer(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const byte of bytes) {
      await new Promise<void>(sent => response.write(Uint8Array.of(byte), () => sent()))
    }
    response.end(toFrame(delta({}, 'stop')))
  })
  const parts = await collect(await openChat(server.url))
  expect(parts[0]).toEqual({ type: 'text', id: 'b0', text: 'grüße 🚢' })
})

it('a part is handed on as soon as it has come, not when the next one does', async () => {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const server = await startServer(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(toFrame(delta({ content: 'first' })))
    await held
    response.end(toFrame(delta({ content: ' second' }, 'stop')))
  })
  const stream = (await openChat(server.url)).stream(ask(), new AbortController().signal)
  expect((await stream.next()).value).toEqual({ type: 'text', id: 'b0', text: 'first' })
  release()
  expect((await stream.next()).value).toEqual({ type: 'text', id: 'b0', text: ' second' })
  await stream.return(undefined)
})

it("Anthropic's signatures and redacted thoughts come with the end of their thought, and go back as they came", async () => {
  const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
  const change = (index: number, part: object) => ({ type: 'content_block_delta', index, delta: part })
  const stop = (index: number) => ({ type: 'content_block_stop', index })
  const server = await startServer(
    events(
      {
        type: 'message_start',
        message: {
          id: 'm1',
          type: 'message',
          role: 'assistant',
          content: [],
          model: 'claude-sonnet-5-5',
          stop_reason: null,
          usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 80, cache_creation_input_tokens: 5 },
        },
      },
      { type: 'ping' },
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      change(0, { type: 'thinking_delta', thinking: 'Let me see.' }),
      change(0, { type: 'signature_delta', signature: 'c2ln' }),
      stop(0),
      block(1, { type: 'redacted_thinking', data: 'cmVk' }),
      stop(1),
      block(2, { type: 'text', text: '' }),
      change(2, { type: 'text_delta', text: 'Reading.' }),
      stop(2),
      block(3, { type: 'tool_use', id: 't1', name: 'read', input: {} }),
      change(3, { type: 'input_json_delta', partial_json: '{"path"' }),
      change(3, { type: 'input_json_delta', partial_json: ':"x"' }),
      stop(3),
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 30 } },
      { type: 'message_stop' },
    ),
  )
  const settings = makeSettings({ env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-1234567' } })
  const model = await openModel({ provider: 'anthropic', model: 'claude-sonnet-5-5' }, settings)
  const parts = await collect(model, ask('go', { tools: [TOOL], thinkingLevel: 'low' }))
  expect(parts).toEqual([
    { type: 'thought', id: 'b0', text: 'Let me see.' },
    { type: 'thought-end', id: 'b0', meta: { anthropic: { signature: 'c2ln' } } },
    { type: 'thought-end', id: 'b1', meta: { anthropic: { redactedData: 'cmVk' } } },
    { type: 'text', id: 'b2', text: 'Reading.' },
    { type: 'call-start', id: 't1', name: 'read' },
    { type: 'call-delta', id: 't1', text: '{"path"' },
    { type: 'call-delta', id: 't1', text: ':"x"' },
    { type: 'call', id: 't1', name: 'read', arguments: '{"path":"x"' },
    { type: 'finish', reason: 'tool-calls', usage: { input: 95, output: 30, cacheRead: 80, cacheWrite: 5 } },
  ])
  const [first] = server.requests
  expect(first?.url).toBe('/v1/messages')
  expect(first?.headers['x-api-key']).toBe('sk-ant-1234567')
  expect(first?.body).toMatchObject({
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort: 'low' },
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'go', cache_control: { type: 'ephemeral' } }] }],
  })

  const metas = parts.flatMap(part => (part.type === 'thought-end' ? [part.meta] : []))
  const [signed, redacted] = metas as { anthropic: { [key: string]: string } }[]
  await collect(model, {
    system: '',
    tools: [TOOL],
    prompt: [
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Let me see.', providerOptions: signed! },
          { type: 'reasoning', text: '', providerOptions: redacted! },
          { type: 'tool-call', toolCallId: 't1', toolName: 'read', input: { path: 'x' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 't1', toolName: 'read', output: { type: 'text', value: 'content' } },
        ],
      },
    ],
  })
  expect(server.requests[1]?.body.messages[1].content).toEqual([
    { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'cmVk' },
    { type: 'tool_use', id: 't1', name: 'read', input: { path: 'x' } },
  ])
})

it("DeepSeek's reasoning comes as thoughts, and its cached tokens are counted", async () => {
  const server = await startServer(
    events(
      delta({ role: 'assistant', reasoning_content: 'Think' }),
      delta({ content: 'Done' }),
      { ...delta({}, 'stop'), usage: { prompt_tokens: 9, completion_tokens: 2, prompt_cache_hit_tokens: 8 } },
      DONE,
    ),
  )
  const providers = { deepseek: { baseUrl: server.url, headers: { 'x-team': 'a' }, models: [] } }
  const settings = makeSettings({ env: { DEEPSEEK_API_KEY: 'sk-deep-1234567' }, config: { providers } })
  const model = await openModel({ provider: 'deepseek', model: 'deepseek-flash' }, settings)
  expect(await collect(model, ask('x', { thinkingLevel: 'off' }))).toEqual([
    { type: 'thought', id: 'b0', text: 'Think' },
    { type: 'thought-end', id: 'b0' },
    { type: 'text', id: 'b1', text: 'Done' },
    { type: 'finish', reason: 'stop', usage: { input: 9, output: 2, cacheRead: 8 } },
  ])
  expect(server.requests[0]?.body).toMatchObject({ model: 'deepseek-flash', thinking: { type: 'disabled' } })
  expect(server.requests[0]?.headers['x-team']).toBe('a')
})
