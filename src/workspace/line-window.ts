import { cutBefore } from '../cards/index.js'

const LF = 0x0a
const CR = 0x0d
// What a reader adds to each: number and newline. Else a million empty lines would fit into nothing.
const LINE_OVERHEAD_BYTES = 8

export interface LineRange {
  /** 1-based. */
  first: number
  count: number
  /** Lines are taken while their bytes, and 8 for each, stay within this; the first one always is. */
  maxBytes: number
  /** A longer line is cut to this. */
  maxLineBytes: number
}

export interface FileLine {
  number: number
  /** Without its line ending. */
  bytes: Buffer
  /** Length of the whole line, or of as much as was read of it; more than `bytes` holds if the line was cut. */
  sizeBytes: number
}

/**
 * Picks a range of lines out of a file that comes in pieces; holds no more than the range. Lines end at LF, CRLF or a
 * lone CR, as editors count them.
 */
export class LineWindow {
  readonly lines: FileLine[] = []
  /** Lines seen so far; those of the whole file after `end()`. */
  lineCount = 0
  private readonly range: LineRange
  private takenBytes = 0
  private full = false
  private kept: Buffer[] = []
  private keptBytes = 0
  private lineBytes = 0
  private afterCr = false

  constructor(range: LineRange) {
    this.range = range
  }

  /** Nothing that follows can add a line; more pieces only count lines. */
  get complete(): boolean {
    return this.full || this.lineCount >= this.range.first - 1 + this.range.count
  }

  /** The line that is being read has been cut already: more of it only makes it longer. */
  get inLongLine(): boolean {
    return this.keptBytes > this.range.maxLineBytes
  }

  push(piece: Buffer): void {
    if (piece.length === 0) return
    let start = this.afterCr && piece[0] === LF ? 1 : 0
    this.afterCr = piece[piece.length - 1] === CR
    let lf = -1
    let cr = -1
    while (start < piece.length) {
      if (this.complete) {
        this.countOnly(piece, start)
        return
      }
      if (lf < start) lf = indexOrEnd(piece, LF, start)
      if (cr < start) cr = indexOrEnd(piece, CR, start)
      const end = Math.min(lf, cr)
      this.extend(piece.subarray(start, end))
      if (end === piece.length) return
      this.finishLine()
      start = end + (cr === end && lf === end + 1 ? 2 : 1)
    }
  }

  end(): void {
    if (this.lineBytes > 0) this.finishLine()
  }

  private get wanted(): boolean {
    return this.lineCount + 1 >= this.range.first && !this.complete
  }

  private extend(part: Buffer): void {
    this.lineBytes += part.length
    const room = this.range.maxLineBytes + 1 - this.keptBytes
    if (!this.wanted || room <= 0 || part.length === 0) return
    // A copy: a slice would keep the whole piece alive.
    const copy = Buffer.from(part.subarray(0, room))
    this.kept.push(copy)
    this.keptBytes += copy.length
  }

  private finishLine(): void {
    if (this.wanted) this.take()
    this.lineCount += 1
    this.kept = []
    this.keptBytes = 0
    this.lineBytes = 0
  }

  private take(): void {
    const whole = Buffer.concat(this.kept)
    const bytes = whole.subarray(0, cutBefore(whole, this.range.maxLineBytes))
    const cost = bytes.length + LINE_OVERHEAD_BYTES
    if (this.lines.length > 0 && this.takenBytes + cost > this.range.maxBytes) {
      this.full = true
      return
    }
    this.lines.push({ number: this.lineCount + 1, bytes, sizeBytes: this.lineBytes })
    this.takenBytes += cost
  }

  private countOnly(piece: Buffer, start: number): void {
    let lineStart = start
    for (let at = start; at < piece.length; at++) {
      const byte = piece[at]
      if (byte !== LF && byte !== CR) continue
      if (byte === LF && at > start && piece[at - 1] === CR) {
        lineStart = at + 1
        continue
      }
      this.lineCount += 1
      this.lineBytes = 0
      lineStart = at + 1
    }
    this.lineBytes += piece.length - lineStart
  }
}

function indexOrEnd(piece: Buffer, byte: number, start: number): number {
  const at = piece.indexOf(byte, start)
  return at === -1 ? piece.length : at
}
