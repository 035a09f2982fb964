/** A line that matches, as offsets into its file's text. `line` is 1-based, `end` is before the line's ending. */
export interface LineHit {
  line: number
  start: number
  end: number
  /** Where the match begins. */
  match: number
}

const LINES_PER_CLOCK_READING = 16
const MAX_INTERRUPTIONS = 3

/** Matches the lines of one file, in steps that may be cut off anywhere: by the clock, or in the middle of a match. */
export class FileScan {
  /** The first hits, as many as are kept. */
  readonly hits: LineHit[] = []
  /** Lines given up because the pattern takes too long on them. */
  skippedLines = 0
  /** Lines that match, also those past the hits that are kept. */
  hitCount = 0
  private line = 1
  private decidedLine = 0
  private position = 0
  private interruptions = 0

  constructor(
    readonly text: string,
    private readonly regex: RegExp,
    private readonly maxHits: number,
  ) {}

  get done(): boolean {
    return this.position >= this.text.length
  }

  /** Goes on until the file or the time (of performance.now) ends. */
  advance(untilMs: number): void {
    const { text, regex } = this
    while (this.position < text.length) {
      const newline = text.indexOf('\n', this.position)
      const last = newline === -1 ? text.length : newline
      const end = last > this.position && text.charCodeAt(last - 1) === 13 ? last - 1 : last
      // A step is cut off only at a call: a line that is decided already is not matched again.
      if (this.decidedLine !== this.line) {
        const match = searchLine(text.slice(this.position, end), regex)
        const isHit = match !== undefined && match !== -1
        if (isHit && this.hits.length < this.maxHits) {
          this.hits.push({ line: this.line, start: this.position, end, match: this.position + match })
        }
        this.hitCount += isHit ? 1 : 0
        this.skippedLines += match === undefined ? 1 : 0
        this.decidedLine = this.line
      }
      this.toNextLine(newline)
      if (this.line % LINES_PER_CLOCK_READING === 0 && performance.now() > untilMs) return
    }
  }

  /** The step was cut off in the middle of a line. One that is cut off again and again is given up; a busy machine is not. */
  interrupted(): void {
    this.interruptions += 1
    if (this.interruptions < MAX_INTERRUPTIONS) return
    this.skippedLines += 1
    this.toNextLine(this.text.indexOf('\n', this.position))
  }

  private toNextLine(newline: number): void {
    this.position = newline === -1 ? this.text.length : newline + 1
    this.line += 1
    this.interruptions = 0
  }
}

// Undefined: V8 gave up, as it may for want of stack on a match that backtracks deeply.
function searchLine(line: string, regex: RegExp): number | undefined {
  try {
    return line.search(regex)
  } catch {
    return undefined
  }
}
