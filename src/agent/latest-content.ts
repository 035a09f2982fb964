import type { ContentBlock } from '../cards/index.js'

const INTERVAL_MS = 100

/** Progress that replaces what came before it: the first is handed on at once, then the newest after each interval. */
export class LatestContent {
  readonly #emit: (content: ContentBlock[]) => void
  #waiting: ContentBlock[] | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(emit: (content: ContentBlock[]) => void) {
    this.#emit = emit
  }

  put(content: ContentBlock[]): void {
    this.#waiting = content
    if (this.#timer === undefined) this.#handOn()
  }

  /** What still waits is dropped: the result replaces it. */
  end(): void {
    clearTimeout(this.#timer)
    this.#waiting = undefined
  }

  #handOn(): void {
    const content = this.#waiting
    this.#waiting = undefined
    this.#timer = undefined
    if (content === undefined) return
    this.#emit(content)
    this.#timer = setTimeout(() => this.#handOn(), INTERVAL_MS).unref()
  }
}
