import { type ChildProcess, spawn } from 'node:child_process'
import { cpuMsOf, type Memory, memoryOf } from './machine.js'

// biome-ignore lint/suspicious/noExplicitAny: frames of any agent, as they come.
export type Frame = any

export interface Started {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Set in each new session. */
  mode?: string
}

export interface Turn {
  ms: number
  calls: number
  failed: number
  frames: number
  /** Bytes of all updates. */
  bytes: number
  stopReason: string
}

const ANSWER_LIMIT_MS = 120_000

/** An agent of any make on its stdio, with the time at which each update came; permissions are given at once. */
export class BenchClient {
  /** From the spawn to the answer to initialize. */
  initMs = 0
  readonly #child: ChildProcess
  readonly #startedAt = performance.now()
  readonly #waiting = new Map<number, { resolve(value: Frame): void; reject(error: Error): void }>()
  readonly #exited: Promise<void>
  #listener: (update: Frame, bytes: number) => void = () => {}
  #nextId = 1
  #stderr = ''

  readonly #mode: string | undefined

  constructor({ command, args, env, mode }: Started, cwd: string) {
    this.#mode = mode
    this.#child = spawn(command, [...args], { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#exited = new Promise(resolve => {
      this.#child.once('exit', (code, signal) => {
        const error = new Error(`the agent ended (${code ?? signal}): ${this.#stderr.slice(-500)}`)
        for (const { reject } of this.#waiting.values()) reject(error)
        resolve()
      })
    })
    this.#child.stdin?.on('error', () => {})
    this.#child.stderr?.on('data', chunk => {
      this.#stderr = (this.#stderr + chunk).slice(-4000)
    })
    this.#readLines()
  }

  /** Since the spawn. */
  get ageMs(): number {
    return performance.now() - this.#startedAt
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async initialize(): Promise<void> {
    await this.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'bench', version: '1' },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, _meta: { terminal_output: true } },
    })
    this.initMs = this.ageMs
  }

  async newSession(cwd: string): Promise<string> {
    const { sessionId } = await this.request('session/new', { cwd, mcpServers: [] })
    if (this.#mode !== undefined) await this.request('session/set_mode', { sessionId, modeId: this.#mode })
    return sessionId
  }

  /** One turn. `onUpdate` gets each update of the session with its bytes. */
  async prompt(sessionId: string, text: string, onUpdate?: (update: Frame) => void): Promise<Turn> {
    const turn: Turn = { ms: 0, calls: 0, failed: 0, frames: 0, bytes: 0, stopReason: '' }
    const before = this.#listener
    this.#listener = (params, bytes) => {
      before(params, bytes)
      if (params.sessionId !== sessionId) return
      turn.frames++
      turn.bytes += bytes
      const { update } = params
      if (update.sessionUpdate === 'tool_call') turn.calls++
      if (/^tool_call/.test(update.sessionUpdate) && update.status === 'failed') turn.failed++
      onUpdate?.(update)
    }
    const startedAt = performance.now()
    const { stopReason } = await this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
    turn.ms = performance.now() - startedAt
    turn.stopReason = stopReason
    return turn
  }

  /** Counts the updates until `done` is called. */
  watch(onUpdate: (params: Frame, bytes: number) => void): { done(): void } {
    const before = this.#listener
    this.#listener = onUpdate
    return {
      done: () => {
        this.#listener = before
      },
    }
  }

  request(method: string, params: object): Promise<Frame> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} was not answered`)), ANSWER_LIMIT_MS)
      const settle = <T>(then: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer)
          this.#waiting.delete(id)
          then(value)
        }
      }
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) })
      this.#send({ id, method, params })
    })
  }

  notify(method: string, params: object): void {
    this.#send({ method, params })
  }

  memory(): Memory {
    return memoryOf(this.pid)
  }

  /** User and system time of the process and its children that still run. */
  cpuMs(): number {
    return cpuMsOf(this.pid)
  }

  /** Ends stdin and waits for the exit; kills what does not end. */
  async close(): Promise<void> {
    this.#child.stdin?.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000)
    await this.#exited
    clearTimeout(timer)
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  #readLines(): void {
    let parts: Buffer[] = []
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        parts.push(chunk.subarray(start, end))
        const line = parts.length === 1 ? chunk.subarray(start, end) : Buffer.concat(parts)
        parts = []
        start = end + 1
        if (line.length > 0) this.#onLine(line)
      }
      if (start < chunk.length) parts.push(chunk.subarray(start))
    })
  }

  #onLine(line: Buffer): void {
    const message: Frame = JSON.parse(line.toString('utf8'))
    if (message.method === 'session/update') {
      this.#listener(message.params, line.length + 1)
      return
    }
    if (message.method !== undefined) {
      if (message.id !== undefined) this.#answer(message)
      return
    }
    const waiting = this.#waiting.get(message.id)
    if (message.error) waiting?.reject(new Error(JSON.stringify(message.error)))
    else waiting?.resolve(message.result)
  }

  #answer({ id, method, params }: Frame): void {
    if (method !== 'session/request_permission') {
      this.#send({ id, error: { code: -32601, message: 'Method not found' } })
      return
    }
    const options: Frame[] = params.options ?? []
    const { optionId } = options.find(({ kind }) => kind === 'allow_once') ?? options[0] ?? {}
    this.#send({ id, result: { outcome: { outcome: 'selected', optionId } } })
  }
}
