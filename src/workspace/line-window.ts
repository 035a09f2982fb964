import { countLineEndings, cutBefore } from '../cards/index.js'

const LF = 0x0a
const CR = 0x0d
const NOTHING = Buffer.alloc(0)
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
      if (end === piece.length) {
        this.keep(piece.subarray(start))
        return
      }
      this.finishLine(piece, start, end)
      start = end + (cr === end && lf === end + 1 ? 2 : 1)
    }
  }

  end(): void {
    if (this.lineBytes > 0) this.finishLine(NOTHING, 0, 0)
  }

  private get wanted(): boolean {
    return this.lineCount + 1 >= this.range.first && !this.complete
  }

  /** Part of a line that goes on in the next piece. */
  private keep(part: Buffer): void {
    this.lineBytes += part.length
    const room = this.range.maxLineBytes + 1 - this.keptBytes
    if (!this.wanted || room <= 0 || part.length === 0) return
    // A copy: a line may go on for many pieces, and a slice would keep each alive.
    const copy = Buffer.from(part.subarray(0, room))
    this.kept.push(copy)
    this.keptBytes += copy.length
  }

  private finishLine(piece: Buffer, start: number, end: number): void {
    if (this.kept.length > 0) this.keep(piece.subarray(start, end))
    else this.lineBytes += end - start
    // No more lines than the range are kept, so only few pieces stay alive with them.
    if (this.wanted) this.take(this.kept.length > 0 ? Buffer.concat(this.kept) : piece.subarray(start, end))
    this.lineCount += 1
    if (this.kept.length > 0) this.kept = []
    this.keptBytes = 0
    this.lineBytes = 0
  }

  private take(line: Buffer): void {
    const { maxLineBytes, maxBytes } = this.range
    const bytes = line.length > maxLineBytes ? line.subarray(0, cutBefore(line, maxLineBytes)) : line
    const cost = bytes.length + LINE_OVERHEAD_BYTES
    if (this.lines.length > 0 && this.takenBytes + cost > maxBytes) {
      this.full = true
      return
    }
    this.lines.push({ number: this.lineCount + 1, bytes, sizeBytes: this.lineBytes })
    this.takenBytes += cost
  }

  private countOnly(piece: Buffer, start: number): void {
    // One byte is one character: a text is searched faster than a buffer.
    const rest = piece.toString('latin1', start)
    const lastEnd = Math.max(rest.lastIndexOf('\n'), rest.lastIndexOf('\r'))
    this.lineCount += countLineEndings(rest, rest.length)
    this.lineBytes = lastEnd === -1 ? this.lineBytes + rest.length : rest.length - lastEnd - 1
  }
}

function indexOrEnd(piece: Buffer, byte: number, start: number): number {
  const at = piece.indexOf(byte, start)
  return at === -1 ? piece.length : at
}
