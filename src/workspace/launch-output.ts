import type { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

/** More than a pipe of any usual system holds: what was written before the exit is within it. */
const MAX_DRAIN_BYTES = 2 * 1024 * 1024
const MAX_DRAIN_MS = 2000
/** Turns of the event loop, each with one look at the pipes, after which silence means that they are empty. */
const QUIET_TURNS = 4
const WINDOWS_TURN_MS = 10
const DISCARD_PAUSE_MS = 20

type OnOutput = (chunk: Uint8Array, stream: 'stdout' | 'stderr') => unknown

interface Source {
  readonly name: 'stdout' | 'stderr'
  readonly stream: Readable
  /** What has come while the receiver is busy with what came before; undefined if it is not. */
  waiting?: Uint8Array[] | undefined
}

/** Delivers the output of a process as it arrives. */
export class OutputReader {
  #onOutput: OnOutput | undefined
  #open = 0
  #chunks = 0
  #bytes = 0
  /** Streams whose receiver is busy. */
  #held = 0
  readonly #streams: Readable[] = []

  /** `onClosed` is called when nobody holds the pipes any more. */
  constructor(stdout: Readable, stderr: Readable, onOutput: OnOutput | undefined, onClosed: () => void) {
    this.#onOutput = onOutput ?? (() => {})
    for (const [name, stream] of [['stdout', stdout] as const, ['stderr', stderr] as const]) {
      const source: Source = { name, stream }
      this.#streams.push(stream)
      this.#open += 1
      stream.on('data', (chunk: Uint8Array) => this.#receive(chunk, source))
      stream.on('error', () => {})
      stream.once('close', () => {
        this.#open -= 1
        if (this.#open === 0) onClosed()
      })
    }
  }

  /**
   * Called when the process has exited: settles when everything it wrote was delivered. A child that it left behind may
   * hold the pipes for ever (B23), so this waits for silence, not for their end; what comes later is read and dropped.
   */
  async drain(): Promise<void> {
    const deadline = performance.now() + MAX_DRAIN_MS
    const mostBytes = this.#bytes + MAX_DRAIN_BYTES
    for (let quiet = 0; this.#open + this.#held > 0 && quiet < QUIET_TURNS; ) {
      const chunks = this.#chunks
      await (process.platform === 'win32' ? wait(WINDOWS_TURN_MS) : nextTurn())
      quiet = this.#chunks === chunks && this.#held === 0 ? quiet + 1 : 0
      if (this.#bytes > mostBytes || performance.now() > deadline) break
    }
    this.#onOutput = undefined
    this.#streams.forEach(unrefStream)
  }

  #receive(chunk: Uint8Array, source: Source): void {
    const { name, stream, waiting } = source
    if (this.#onOutput === undefined) {
      // The child left behind shall neither block on a full pipe nor die of a closed one, nor keep the agent busy.
      stream.pause()
      setTimeout(() => stream.resume(), DISCARD_PAUSE_MS).unref()
      return
    }
    this.#chunks += 1
    this.#bytes += chunk.length
    if (waiting !== undefined) {
      // Node lets a paused stream flow when the process exits.
      stream.pause()
      waiting.push(chunk)
      return
    }
    const taken = this.#onOutput(chunk, name)
    if (taken instanceof Promise) void this.#hold(source, taken)
  }

  async #hold(source: Source, taken: Promise<unknown>): Promise<void> {
    const { name, stream } = source
    const waiting: Uint8Array[] = []
    source.waiting = waiting
    this.#held += 1
    stream.pause()
    await taken.catch(() => {})
    for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
      await Promise.resolve(this.#onOutput?.(chunk, name)).catch(() => {})
    }
    source.waiting = undefined
    this.#held -= 1
    stream.resume()
  }
}

/** Lets this process end although the pipe is open. A child's pipes are sockets, which their types do not say. */
export function unrefStream(stream: object | null): void {
  if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
}
