import { readFileSync } from 'node:fs'

/** What the kernel queues by default; what comes when the queue is full is dropped, and nobody is told. */
const QUEUED_EVENTS = 16_384
/** Events are read until there are none: a busy writer would hold up the event loop for as long as it writes. */
const MAX_MS = 15

/** The events that come in one turn of the event loop, of all watched folders of the process: they share one queue. */
export class EventBurst {
  #count = 0
  #startedMs = 0
  #isOver = false
  /** How often there were too many: each time, any event may be missing. */
  overruns = 0

  #maxEvents: number | undefined

  /** `maxEvents`: default half of what the kernel queues. */
  constructor(maxEvents?: number) {
    this.#maxEvents = maxEvents
  }

  /** Counts an event; false if there are too many in this turn. */
  count(nowMs: number): boolean {
    if (this.#count === 0) {
      this.#startedMs = nowMs
      setImmediate(() => {
        this.#count = 0
        this.#isOver = false
      })
    }
    this.#count += 1
    this.#maxEvents ??= queuedEvents() / 2
    if (this.#count <= this.#maxEvents && nowMs - this.#startedMs <= MAX_MS) return true
    if (!this.#isOver) this.overruns += 1
    this.#isOver = true
    return false
  }
}

function queuedEvents(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'), 10) || QUEUED_EVENTS
  } catch {
    return QUEUED_EVENTS
  }
}
