/** A time limit that starts anew with each sign of life, and stands still while the user is asked. */
export class CallLimit {
  readonly #limitMs: number
  readonly #onOver: () => void
  #timer: NodeJS.Timeout | undefined
  #paused = 0

  constructor(limitMs: number, onOver: () => void) {
    this.#limitMs = limitMs
    this.#onOver = onOver
    this.restart()
  }

  restart(): void {
    this.end()
    if (this.#paused === 0) this.#timer = setTimeout(this.#onOver, this.#limitMs)
  }

  /** Returns what lets it go on. */
  pause(): () => void {
    this.#paused += 1
    this.end()
    return () => {
      this.#paused -= 1
      this.restart()
    }
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
