import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface HttpServer {
  url: string
  /** Headers of each request. */
  seen: IncomingMessage['headers'][]
  close(): Promise<void>
}

interface Message {
  id?: number
  method?: string
  params?: { name?: string; arguments?: Record<string, unknown> }
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A server on this machine that `answer` makes; gone when the test ends. */
export async function serve(answer: Answer, port = 0): Promise<HttpServer> {
  const seen: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => answer(request, response, body))
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen, close }
}

/** MCP with one tool, which says a word; by Streamable HTTP. */
export const streamable: Answer = (request, response, body) => {
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const message = JSON.parse(body) as Message
  if (message.params?.name === 'breaks') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: message\n')
    setImmediate(() => request.socket.destroy())
    return
  }
  if (message.params?.name === 'floods') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = (part: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...part })}\n\n`
    response.write(event({ method: 'notifications/message', params: { level: 'info', data: 'x' } }).repeat(10_000))
    return void response.end(event({ id: message.id, result: { content: [{ type: 'text', text: 'sent' }] } }))
  }
  const result = toResult(message)
  if (result === undefined) return void response.writeHead(202).end()
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
}

/** The same by server-sent events and POSTs beside them. */
export function sse(): Answer {
  let events: ServerResponse | undefined
  return (request, response, body) => {
    if (request.method === 'GET') {
      events = response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void events.write('event: endpoint\ndata: /messages\n\n')
    }
    const message = JSON.parse(body) as Message
    const result = toResult(message)
    if (result) events?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`)
    response.writeHead(202).end()
  }
}

function toResult({ id, method }: Message): object | undefined {
  if (id === undefined) return undefined
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'remote', version: '1.0.0' },
      }
    case 'tools/list':
      return {
        tools: ['word', 'breaks', 'floods'].map(name => ({ name, inputSchema: { type: 'object', properties: {} } })),
      }
    default:
      return { content: [{ type: 'text', text: 'from afar' }] }
  }
}
