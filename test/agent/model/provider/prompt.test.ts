import { expect, it } from 'vitest'
import type { ModelPrompt } from '../../../../src/agent/model/provider/index.js'
import { openModel } from '../../../../src/agent/model/provider/index.js'
import { ask, collect, makeSettings, openChat, says, startServer } from './support.js'

const image = { type: 'image-data' as const, data: 'aW1n', mediaType: 'image/png' }

const prompt: ModelPrompt = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      { type: 'file', data: 'dXNy', mediaType: 'image/png' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.png' } },
      { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: { path: 'b.txt' } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'read',
        output: { type: 'content', value: [{ type: 'text', text: 'a.png' }, image] },
      },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'b', toolName: 'read', output: { type: 'text', value: 'text of b' } }],
  },
  { role: 'user', content: [{ type: 'text', text: 'and?' }] },
]

async function sent(images: boolean) {
  const server = await startServer(says('ok'))
  const models = [{ id: 'openai/fake-model', images }]
  await collect(await openChat(server.url, { config: { models } }), ask('', { prompt, system: '' }))
  return server.requests[0]?.body.messages
}

it('images of results follow the last result of their step as the user’s, where results hold only text', async () => {
  expect(await sent(true)).toMatchObject([
    { role: 'user', content: [{ type: 'text' }, { type: 'image_url' }] },
    { role: 'assistant', tool_calls: [{ id: 'a' }, { id: 'b' }] },
    { role: 'tool', tool_call_id: 'a', content: 'a.png\n[The image follows.]' },
    { role: 'tool', tool_call_id: 'b', content: 'text of b' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aW1n' } }] },
    { role: 'user', content: 'and?' },
  ])
})

it('a model that takes no images gets a note in their place', async () => {
  const messages = await sent(false)
  expect(JSON.stringify(messages)).not.toContain('image_url')
  expect(messages[0].content[1]).toEqual({ type: 'text', text: expect.stringContaining('takes no images') })
  expect(messages[2].content).toMatch(/^a\.png\n\[An image stood here/)
  expect(messages).toHaveLength(5)
})

it("images stay in the results for Anthropic, and the ends of the last two messages that are not the model's are marked", async () => {
  const server = await startServer(response => response.writeHead(400).end())
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' }
  const model = await openModel({ provider: 'anthropic', model: 'claude-sonnet-5-5' }, makeSettings({ env }))
  await collect(model, ask('', { prompt })).catch(() => {})
  const { messages, system } = server.requests[0]?.body ?? {}
  expect(JSON.stringify(messages)).toContain('aW1n')
  expect(system[0].cache_control).toEqual({ type: 'ephemeral' })
  const marked = JSON.stringify(messages).match(/cache_control/g)
  expect(marked).toHaveLength(2)
  expect(messages.at(-1).content.at(-1)).toMatchObject({ text: 'and?', cache_control: { type: 'ephemeral' } })
})
