import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { findScript, type Step, toSteps } from '../steps.js'
import { type OfferedTool, toToolCall } from './tool-call.js'

/**
 * A model on 127.0.0.1 that plays the script named in the conversation: chat completions, streamed. It keeps nothing: the
 * next step follows from how many results stand after the prompt. Prints `PORT n`, and ends with its stdin.
 */

interface ChatRequest {
  model?: string
  messages?: { role: string; content?: unknown }[]
  tools?: { function?: { name?: string; parameters?: object } }[]
}

let answers = 0

function nextStep({ messages = [], tools = [] }: ChatRequest): Step {
  let script: ReturnType<typeof findScript>
  let results = 0
  for (const { role, content } of messages) {
    if (role === 'tool') results++
    const found = role === 'user' ? findScript(toText(content)) : undefined
    if (found) {
      script = found
      results = 0
    }
  }
  // Some agents ask a model for a title, without tools.
  if (!script || tools.length === 0) return { kind: 'say', text: 'bench' }
  const steps = toSteps(script)
  return steps[Math.min(results, steps.length - 1)] ?? { kind: 'say', text: 'done' }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: ChatRequest = JSON.parse((await readBody(request)) || '{}')
  const step = nextStep(body)
  const base = {
    id: `chatcmpl-${++answers}`,
    created: 1,
    model: body.model ?? 'scripted',
    object: 'chat.completion.chunk',
  }
  const event = (delta: object, end: string | null = null) =>
    `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`
  const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 }
  const last = `data: ${JSON.stringify({ ...base, choices: [], usage })}\n\ndata: [DONE]\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  if (step.kind === 'say') {
    await say(step, text => response.write(event({ role: 'assistant', content: text })))
    response.end(event({}, 'stop') + last)
    return
  }
  const tools: OfferedTool[] = (body.tools ?? []).map(tool => ({
    name: tool.function?.name ?? '',
    parameters: tool.function?.parameters ?? {},
  }))
  const { name, args } = toToolCall(step, tools)
  const call = { index: 0, id: `call_${answers}`, type: 'function', function: { name, arguments: '' } }
  response.end(
    event({ role: 'assistant', content: '' }) +
      event({ tool_calls: [call] }) +
      event({ tool_calls: [{ index: 0, function: { arguments: JSON.stringify(args) } }] }) +
      event({}, 'tool_calls') +
      last,
  )
}

/** Text of more than one piece comes as a model's does, 20 ms apart; each piece holds the time at which it was sent. */
async function say({ text, pieces = 1 }: Extract<Step, { kind: 'say' }>, write: (text: string) => void): Promise<void> {
  if (pieces === 1) return write(text)
  for (let piece = 0; piece < pieces; piece++) {
    write(`<${performance.timeOrigin + performance.now()}> `)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

function toText(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(part => part.text ?? '').join('\n') : ''
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const server = createServer((request, response) => {
  if (request.url?.endsWith('/chat/completions')) {
    answer(request, response).catch(error => response.destroy(error))
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ object: 'list', data: [{ id: 'scripted', object: 'model' }] }))
})
server.keepAliveTimeout = 120_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.stdout.write(`PORT ${address.port}\n`)
})
process.stdin.resume().once('end', () => process.exit(0))
