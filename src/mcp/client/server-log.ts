import { oneLine } from '../../cards/index.js'

const MAX_LINE_CHARS = 1000
const WINDOW_MS = 10_000
const MAX_LINES_IN_WINDOW = 100

/** Lines of one server for the log file; a flood is cut, and counted. */
export class ServerLog {
  readonly #write: (line: string) => void
  #windowEnd = 0
  #lines = 0
  #dropped = 0
  #partial = ''

  constructor(write: (line: string) => void) {
    this.#write = write
  }

  line(text: string): void {
    const now = performance.now()
    if (now > this.#windowEnd) {
      this.#tellDropped()
      this.#windowEnd = now + WINDOW_MS
      this.#lines = 0
    }
    this.#lines += 1
    if (this.#lines > MAX_LINES_IN_WINDOW) this.#dropped += 1
    else this.#write(oneLine(text, MAX_LINE_CHARS))
  }

  /** Text of a stream, such as a server's stderr: whole lines are written. */
  stream(text: string): void {
    const lines = (this.#partial + text).split('\n')
    this.#partial = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS)
    for (const line of lines) if (line.trim() !== '') this.line(line)
  }

  /** The stream has ended. */
  end(): void {
    if (this.#partial.trim() !== '') this.line(this.#partial)
    this.#partial = ''
    this.#tellDropped()
  }

  #tellDropped(): void {
    if (this.#dropped > 0) this.#write(`${this.#dropped} more lines were dropped`)
    this.#dropped = 0
  }
}
