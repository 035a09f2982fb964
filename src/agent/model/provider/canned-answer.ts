import { setImmediate as nextTask } from 'node:timers/promises'
import type { Fetch } from '../../../network/index.js'

const ARGUMENTS = ['{"path":"a"', ',"command":"a"}']
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

interface RequestBody {
  messages?: { role?: string }[]
  tools?: { name?: string; function?: { name?: string } }[]
}

/**
 * A `fetch` that reaches nothing: each request for an answer gets a few words and a call of the next of its tools, and after
 * `calls` of them words alone. Each piece comes in a task of its own, so that other work goes on between them.
 */
export function cannedFetch(calls: number): Fetch {
  return async (input, init) => {
    const { messages = [], tools = [] } = JSON.parse(String(init?.body)) as RequestBody
    const step = messages.filter(({ role }) => role === 'assistant').length
    const tool = tools[step % Math.max(1, tools.length)]
    const name = step < calls ? (tool?.function?.name ?? tool?.name) : undefined
    const call = name === undefined ? undefined : { id: `call-${step}`, name }
    const isMessages = new URL(input instanceof Request ? input.url : input).pathname.endsWith('/messages')
    const pieces = isMessages ? toMessageEvents(call) : toCompletionChunks(call)
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await nextTask()
        const piece = pieces.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(Buffer.from(piece))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

interface CannedCall {
  id: string
  name: string
}

/** As OpenAI's chat completions stream it. */
function toCompletionChunks(call: CannedCall | undefined): string[] {
  const delta = (part: object) => ({ choices: [{ index: 0, delta: part }] })
  const toolCall = (part: object) => delta({ tool_calls: [{ index: 0, ...part }] })
  const chunks = [
    delta({ role: 'assistant', content: 'A ' }),
    delta({ content: 'word.' }),
    ...(call
      ? [
          toolCall({ id: call.id, type: 'function', function: { name: call.name, arguments: '' } }),
          ...ARGUMENTS.map(text => toolCall({ function: { arguments: text } })),
        ]
      : []),
    { choices: [{ index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }] },
    { choices: [], usage: USAGE },
  ]
  const head = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' }
  return [...chunks.map(chunk => `data: ${JSON.stringify({ ...head, ...chunk })}\n\n`), 'data: [DONE]\n\n']
}

/** As Anthropic's messages stream it. */
function toMessageEvents(call: CannedCall | undefined): string[] {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id: 'a', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'A word.' } },
    { type: 'content_block_stop', index: 0 },
    ...(call
      ? [
          { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', ...call, input: {} } },
          ...ARGUMENTS.map(partial_json => ({
            type: 'content_block_delta',
            index: 1,
            delta: { type: 'input_json_delta', partial_json },
          })),
          { type: 'content_block_stop', index: 1 },
        ]
      : []),
    { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
  return events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}
