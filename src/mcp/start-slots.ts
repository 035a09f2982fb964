/** Programs that start at once: more of them take the processors from each other, and from the answers to the editor. */
const SLOTS = 8
/** A slot is free again after so long, whatever became of the start: one that hangs must not hold up others. */
const HOLD_MS = 2000

/** Turns for starts of programs, in the order in which they are asked for. */
export class StartSlots {
  readonly #holdMs: number
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(slots = SLOTS, holdMs = HOLD_MS) {
    this.#free = slots
    this.#holdMs = holdMs
  }

  /** Resolves to what ends the turn when it has come; undefined if the signal is aborted before that. */
  take(signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise(resolve => {
      if (signal.aborted) return resolve(undefined)
      const onAbort = () => {
        this.#waiting.delete(begin)
        resolve(undefined)
      }
      const begin = () => {
        signal.removeEventListener('abort', onAbort)
        resolve(this.#hold())
      }
      if (this.#free > 0) return begin()
      this.#waiting.add(begin)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  #hold(): () => void {
    this.#free -= 1
    let isHeld = true
    const end = () => {
      clearTimeout(timer)
      if (!isHeld) return
      isHeld = false
      this.#free += 1
      const [next] = this.#waiting
      if (next === undefined) return
      this.#waiting.delete(next)
      next()
    }
    const timer = setTimeout(end, this.#holdMs).unref()
    return end
  }
}
