import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { FrameSchema } from './schema.js'

// biome-ignore lint/suspicious/noExplicitAny: frames of any shape, as they came.
export type Frame = any

/** What each kind of client declares at initialize. */
export const CLIENTS = {
  plain: {},
  terminal_output: { _meta: { terminal_output: true } },
  terminal_output_delta: { _meta: { terminal_output_delta: true } },
} as const

export type Client = keyof typeof CLIENTS

export const clients = Object.keys(CLIENTS) as Client[]

/** An editor that writes raw lines to an agent, and keeps every frame of both sides in its order. */
export abstract class AgentClient {
  readonly frames: Frame[] = []
  readonly sent: Frame[] = []
  readonly badLines: string[] = []
  #waiting = new Set<() => void>()
  #nextId = 1
  #partial: Buffer[] = []

  constructor(readonly stateDir: string) {}

  abstract write(text: string | Uint8Array): void

  /** Why no frame can come any more. */
  protected abstract whyEnded(): string | undefined

  send(message: object): void {
    this.sent.push({ jsonrpc: '2.0', ...message })
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  /** Sends a request; resolves to the whole response, an error included. */
  async request(method: string, params: object = {}): Promise<Frame> {
    const id = this.start(method, params)
    return this.response(id)
  }

  start(method: string, params: object = {}): number {
    const id = this.#nextId++
    this.send({ id, method, params })
    return id
  }

  response(id: number | null): Promise<Frame> {
    return this.frame(frame => frame.id === id && frame.method === undefined)
  }

  /** The first frame, past or to come, that fits. */
  async frame(fits: (frame: Frame) => boolean, timeoutMs = 30_000): Promise<Frame> {
    let seen = 0
    const deadline = Date.now() + timeoutMs
    for (;;) {
      for (; seen < this.frames.length; seen++) if (fits(this.frames[seen])) return this.frames[seen]
      const ended = this.whyEnded()
      if (ended !== undefined) throw new Error(`the agent ended: ${ended}`)
      const left = deadline - Date.now()
      if (left <= 0) throw new Error(`no such frame in ${timeoutMs} ms; last: ${JSON.stringify(this.frames.slice(-3))}`)
      await new Promise<void>(wake => {
        const timer = setTimeout(done, left)
        const waiting = this.#waiting
        function done() {
          clearTimeout(timer)
          waiting.delete(done)
          wake()
        }
        waiting.add(done)
      })
    }
  }

  async initialize(clientCapabilities: object = {}): Promise<Frame> {
    return this.request('initialize', {
      protocolVersion: 1,
      clientCapabilities,
      clientInfo: { name: 'test', version: '1' },
    })
  }

  async newSession(cwd: string, more: object = {}): Promise<string> {
    const { result, error } = await this.request('session/new', { cwd, mcpServers: [], ...more })
    if (error) throw new Error(JSON.stringify(error))
    return result.sessionId
  }

  prompt(sessionId: string, text: string): Promise<Frame> {
    return this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  }

  /** Updates of one session, in order, from frame index `from` on. */
  updates(sessionId: string, from = 0): Frame[] {
    return this.frames
      .slice(from)
      .filter(frame => frame.method === 'session/update' && frame.params.sessionId === sessionId)
      .map(frame => frame.params.update)
  }

  /** Text of the log file. */
  log(): string {
    try {
      return readFileSync(join(this.stateDir, 'deckhand.log'), 'utf8')
    } catch {
      return ''
    }
  }

  /** Fails unless all that came out is the protocol, by its schema and by the rules of the wire. */
  check(): void {
    expect(this.badLines).toEqual([])
    for (const frame of this.frames) {
      expect(frame).toMatchObject({ jsonrpc: '2.0' })
      if (frame.error) expect(frame.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
    }
    const schema = new FrameSchema()
    // What a test sends may be wrong on purpose; it says which answer belongs to which method.
    for (const msg of this.sent) schema.errors({ dir: 'in', msg })
    expect(this.frames.flatMap(msg => schema.errors({ dir: 'out', msg }))).toEqual([])
    expect(
      this.log()
        .split('\n')
        .filter(line => / warn wire rule \d|uncaught|unhandled rejection|could not be shown/.test(line)),
    ).toEqual([])
  }

  /** Takes bytes that the agent wrote. */
  protected read(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#partial.push(chunk.subarray(start, end))
      this.#line(Buffer.concat(this.#partial).toString('utf8'))
      this.#partial = []
      start = end + 1
    }
    if (start < chunk.length) this.#partial.push(chunk.subarray(start))
    this.wake()
  }

  #line(line: string): void {
    try {
      this.frames.push(JSON.parse(line))
    } catch {
      this.badLines.push(line)
    }
  }

  /** Has those who wait for a frame look again. */
  protected wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}
