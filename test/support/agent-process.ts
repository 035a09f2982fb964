import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const CLI = resolve(import.meta.dirname, '../../dist/cli.js')

// biome-ignore lint/suspicious/noExplicitAny: frames of any shape, as they came.
export type Frame = any

interface Options {
  env?: Record<string, string>
  /** The process's own directory, which is nobody's session. */
  cwd?: string
  stateDir?: string
  args?: string[]
  /** Run instead of the built binary. */
  script?: string
}

/** The built binary, driven by raw lines as an editor would, with every frame kept in its order. */
export class AgentProcess {
  readonly frames: Frame[] = []
  readonly badLines: string[] = []
  readonly child: ChildProcess
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  readonly stateDir: string
  stderr = ''
  #waiting = new Set<() => void>()
  #nextId = 1
  #partial: Buffer[] = []

  constructor({ env = {}, cwd = tmpdir(), stateDir, args = ['acp'], script = CLI }: Options = {}) {
    this.stateDir = stateDir ?? mkdtempSync(join(tmpdir(), 'deckhand-state-'))
    this.child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: { ...process.env, DECKHAND_CHECK: '1', DECKHAND_STATE_DIR: this.stateDir, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.exited = new Promise(done => this.child.once('exit', (code, signal) => done({ code, signal })))
    this.child.stdin?.on('error', () => {})
    this.child.stderr?.on('data', chunk => {
      this.stderr += chunk
    })
    this.child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk))
    this.child.once('exit', () => this.#wake())
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  write(text: string | Uint8Array): void {
    this.child.stdin?.write(text)
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
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`the agent ended: ${this.stderr.slice(-800)}`)
      }
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

  /** Ends stdin and waits for the process. */
  async end(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.child.stdin?.end()
    return this.exited
  }

  async dispose(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
    rmSync(this.stateDir, { recursive: true, force: true })
  }

  #read(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#partial.push(chunk.subarray(start, end))
      this.#line(Buffer.concat(this.#partial).toString('utf8'))
      this.#partial = []
      start = end + 1
    }
    if (start < chunk.length) this.#partial.push(chunk.subarray(start))
    this.#wake()
  }

  #line(line: string): void {
    try {
      this.frames.push(JSON.parse(line))
    } catch {
      this.badLines.push(line)
    }
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}
