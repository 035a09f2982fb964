/** Text with LF as its only line ending: CRLF and a lone CR each become one LF, as editors count lines. */
export function toLf(text: string): string {
  if (!text.includes('\r')) return text
  const withoutCrlf = text.replaceAll('\r\n', '\n')
  return withoutCrlf.includes('\r') ? withoutCrlf.replaceAll('\r', '\n') : withoutCrlf
}

/** Where the lines of an LF text begin. A line includes its newline; the last one may lack it. */
export interface LineIndex {
  readonly text: string
  readonly count: number
  /** `count + 1` offsets: line n is `text.slice(starts[n], starts[n + 1])`. */
  readonly starts: readonly number[]
  /** A number per line, made from a sample of its text: equal lines have equal ones, different lines mostly differ. */
  readonly sketches: readonly number[]
}

/** Indexes the lines of an LF text without making a string of each: files of 100,000 lines are usual (B08). */
export function indexLines(text: string): LineIndex {
  const starts = [0]
  const sketches: number[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline + 1
    sketches.push(sketch(text, start, end))
    starts.push(end)
    start = end
  }
  return { text, count: sketches.length, starts, sketches }
}

/** The text of lines `from` to `to` (exclusive), newlines included. */
export function sliceLines(index: LineIndex, from: number, to: number): string {
  return index.text.slice(index.starts[from], index.starts[to])
}

/** True if line `m` of `left` and line `n` of `right` are the same text, newline included. */
export function isSameLine(left: LineIndex, m: number, right: LineIndex, n: number): boolean {
  return left.sketches[m] === right.sketches[n] && sliceLines(left, m, m + 1) === sliceLines(right, n, n + 1)
}

/** Number of lines that end in `text` before offset `end`, by LF, CRLF or a lone CR. */
export function countLineEndings(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++
  for (let at = text.indexOf('\r'); at !== -1 && at < end; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) !== 10) count++
  }
  return count
}

const SAMPLES = 16

function sketch(text: string, start: number, end: number): number {
  const step = Math.max(1, Math.floor((end - start) / SAMPLES))
  let hash = end - start
  for (let at = start; at < end; at += step) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
