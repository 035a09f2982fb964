import { createServer, type IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  createModelSettings,
  type Model,
  type ModelPart,
  type ModelRequest,
  type ModelSettings,
  openModel,
} from '../../../../src/agent/model/provider/index.js'
import { defaultConfig } from '../../../../src/config/index.js'

export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: a request body of any shape.
  body: any
}

export type Answer = (response: ServerResponse, request: Received) => unknown

export interface TestServer {
  url: string
  requests: Received[]
  /** Requests that are neither answered in full nor given up by the client. */
  open: Set<ServerResponse>
}

/** A server that gives these answers one after another, the last one for ever. */
export async function startServer(...answers: Answer[]): Promise<TestServer> {
  const requests: Received[] = []
  const open = new Set<ServerResponse>()
  const server = createServer(async (incoming, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: text ? JSON.parse(text) : undefined }
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1]
    await answer?.(response, request)
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    open,
  }
}

/** Listens on a free port until the test ends. */
export function listen(server: NetServer): Promise<void> {
  onTestFinished(async () => {
    if (server instanceof Server) server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve()))
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** Server-sent events: each item one frame, a string as it is. */
export function events(...frames: (object | string)[]): Answer {
  return response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of frames) response.write(typeof frame === 'string' ? frame : toFrame(frame))
    response.end()
  }
}

export function toFrame(data: object): string {
  const type = (data as { type?: string }).type
  return `${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}

export const DONE = 'data: [DONE]\n\n'

/** A frame of chat completions. */
export function delta(content: object, finish_reason: string | null = null): object {
  return {
    id: 'c1',
    object: 'chat.completion.chunk',
    model: 'm',
    choices: [{ index: 0, delta: content, finish_reason }],
  }
}

/** A whole answer of one text. */
export function says(text: string): Answer {
  return events(delta({ role: 'assistant', content: text }), delta({}, 'stop'), DONE)
}

interface Setup {
  env?: Record<string, string>
  config?: Partial<ModelSettings['config']>
  credentials?: Record<string, string>
  retry?: ModelSettings['retry']
}

export function makeSettings({ env = {}, config = {}, credentials = {}, retry }: Setup = {}): ModelSettings {
  const { model, models, providers, caFile } = { ...defaultConfig(), ...config }
  const settings = createModelSettings({
    env,
    config: { model, models, providers, caFile },
    credentials: async () => credentials,
  })
  return { ...settings, retry: { firstWaitMs: 1, ...retry } }
}

/** An OpenAI-compatible model at this address. */
export function openChat(url: string, setup: Setup = {}): Promise<Model> {
  const env = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'sk-test-0123456789', ...setup.env }
  return openModel({ provider: 'openai', model: 'fake-model' }, makeSettings({ ...setup, env }))
}

export function ask(text = 'hello', more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'Be brief.', prompt: [{ role: 'user', content: [{ type: 'text', text }] }], tools: [], ...more }
}

export async function collect(
  model: Model,
  request: ModelRequest = ask(),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of model.stream(request, signal)) parts.push(part)
  return parts
}

/** The error that `promise` rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}
