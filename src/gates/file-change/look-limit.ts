/** How long a look at a tree may go on: asked, it costs a glance at the clock, and a signal is made for those that need one. */
export class LookLimit {
  readonly #endMs: number
  #stop: AbortController | undefined
  #timer: NodeJS.Timeout | undefined

  /** Ends after `limitMs`, or with `ends`. */
  constructor(
    limitMs: number,
    private readonly ends: AbortSignal,
  ) {
    this.#endMs = performance.now() + limitMs
  }

  get isOver(): boolean {
    return this.ends.aborted || performance.now() >= this.#endMs
  }

  /** Aborted once the limit is over; until `release`, which is to be called in any case. */
  get signal(): AbortSignal {
    if (this.#stop) return this.#stop.signal
    this.#stop = new AbortController()
    this.#timer = setTimeout(this.#abort, this.#endMs - performance.now())
    this.ends.addEventListener('abort', this.#abort)
    if (this.ends.aborted) this.#abort()
    return this.#stop.signal
  }

  release(): void {
    clearTimeout(this.#timer)
    this.ends.removeEventListener('abort', this.#abort)
  }

  readonly #abort = () => this.#stop?.abort()
}
