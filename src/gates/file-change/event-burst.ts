/** Half of what the kernel queues by default: with more at once, some may have been dropped, which nobody is told. */
const MAX_EVENTS = 8192
/** Events are read until there are none: a busy writer would hold up the event loop for as long as it writes. */
const MAX_MS = 15

/** The events that come in one turn of the event loop, of all watched folders of the process: they share one queue. */
export class EventBurst {
  #count = 0
  #startedMs = 0
  #isOver = false
  /** How often there were too many: each time, any event may be missing. */
  overruns = 0

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
    if (this.#count <= MAX_EVENTS && nowMs - this.#startedMs <= MAX_MS) return true
    if (!this.#isOver) this.overruns += 1
    this.#isOver = true
    return false
  }
}
