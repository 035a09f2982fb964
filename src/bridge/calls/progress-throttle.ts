import type { SessionChange } from './call-state.js'

/** A change that may come often. */
export type ProgressChange = Extract<SessionChange, { type: 'call/output' | 'call/content' }>

/** Appended terminal output: about 20 messages a second for each call. */
const OUTPUT_INTERVAL_MS = 50
/** Whole content: about 4 a second. */
const CONTENT_INTERVAL_MS = 250
/** Output that waits goes out at once when it is this long. */
const MAX_HELD_LENGTH = 32 * 1024

interface Held {
  pending?: ProgressChange
  lastMs: number
  timer?: NodeJS.Timeout
}

export interface ProgressThrottleOptions {
  emit: (change: ProgressChange) => void
  /** True if output of this call is appended at the client, false if every message holds all of it. */
  appends: (change: ProgressChange) => boolean
}

/**
 * Slows the progress of each call down. Appended output is held and joined, whole content is replaced by later content; what is
 * held goes out in time, or when the call settles. Paused, nothing goes out by time: a replay needs only the last state.
 */
export class ProgressThrottle {
  readonly #options: ProgressThrottleOptions
  readonly #calls = new Map<string, Held>()
  #isPaused: boolean

  constructor(options: ProgressThrottleOptions & { paused?: boolean }) {
    this.#options = options
    this.#isPaused = options.paused ?? false
  }

  offer(change: ProgressChange): void {
    const { callId } = change.call
    const held = this.#calls.get(callId) ?? { lastMs: Number.NEGATIVE_INFINITY }
    this.#calls.set(callId, held)
    held.pending = held.pending ? this.#join(held.pending, change) : change
    const isLong = held.pending.type === 'call/output' && held.pending.data.length >= MAX_HELD_LENGTH
    const isDue = this.#options.appends(change) && isLong
    if (isDue) this.#emit(callId, held)
    if (isDue || this.#isPaused || held.timer) return
    const interval = this.#options.appends(change) ? OUTPUT_INTERVAL_MS : CONTENT_INTERVAL_MS
    const waitMs = held.lastMs + interval - performance.now()
    if (waitMs <= 0) this.#emit(callId, held)
    else held.timer = setTimeout(() => this.#emit(callId, held), waitMs)
  }

  /** Appended output that is held goes out now; whole content is dropped, for the call's end says it all. */
  settle(callId: string): void {
    const held = this.#calls.get(callId)
    if (!held) return
    if (held.pending && this.#options.appends(held.pending)) this.#emit(callId, held)
    clearTimeout(held.timer)
    this.#calls.delete(callId)
  }

  /** Everything held goes out now. */
  flush(): void {
    for (const [callId, held] of this.#calls) this.#emit(callId, held)
  }

  /** From now on by time. */
  resume(): void {
    this.#isPaused = false
    this.flush()
  }

  /** Drops what is held. */
  close(): void {
    for (const held of this.#calls.values()) clearTimeout(held.timer)
    this.#calls.clear()
    this.#isPaused = true
  }

  #join(pending: ProgressChange, change: ProgressChange): ProgressChange {
    if (pending.type !== 'call/output' || change.type !== 'call/output') return change
    return { ...change, data: pending.data + change.data }
  }

  #emit(callId: string, held: Held): void {
    clearTimeout(held.timer)
    const { pending } = held
    this.#calls.set(callId, { lastMs: performance.now() })
    if (pending) this.#options.emit(pending)
  }
}
