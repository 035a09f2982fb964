import { setImmediate as nextTurn } from 'node:timers/promises'

const LF = 0x0a
const CR = 0x0d
const STEP_BYTES = 1024 * 1024

/** A file's bytes as text with LF endings, and the way back to the places in the file (B02). */
export interface LfView {
  /** What is searched: without byte order mark, each line ending one LF. */
  readonly body: Buffer
  /** Text of the arguments in the form that `body` has. */
  toBody(text: string): Buffer
  /** The place in the file of a place in `body`; of an LF, where the whole line ending begins. */
  toFile(at: number): number
  /** The line ending in the file that an LF of `body` stands for. */
  endingAt(lf: number): string
}

/** CRLF becomes LF. A lone CR stays: in text with other line endings it is content. */
export function toLfText(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Views `bytes` from `start` on. A lone CR counts as a line ending only in a file that has no LF at all. */
export async function toLfView(bytes: Buffer, start: number): Promise<LfView> {
  const raw = bytes.subarray(start)
  if (!raw.includes(CR))
    return { body: raw, toBody: text => Buffer.from(text), toFile: at => at + start, endingAt: () => '\n' }
  if (!raw.includes(LF)) return viewOfCr(raw, start)
  const body = Buffer.allocUnsafe(raw.length)
  // Places in `body` of each LF that was a CRLF.
  const shortened: number[] = []
  let length = 0
  for (let step = 0; step < raw.length; step += STEP_BYTES) {
    if (step > 0) await nextTurn()
    const end = Math.min(raw.length, step + STEP_BYTES)
    for (let at = step; at < end; at++) {
      const byte = raw[at]!
      if (byte === CR && raw[at + 1] === LF) shortened.push(length)
      else body[length++] = byte
    }
  }
  return {
    body: body.subarray(0, length),
    toBody: text => Buffer.from(text),
    toFile: at => start + at + countBelow(shortened, at),
    endingAt: lf => (shortened[countBelow(shortened, lf)] === lf ? '\r\n' : '\n'),
  }
}

function viewOfCr(raw: Buffer, start: number): LfView {
  const body = Buffer.from(raw)
  for (let at = body.indexOf(CR); at !== -1; at = body.indexOf(CR, at + 1)) body[at] = LF
  return {
    body,
    toBody: text => Buffer.from(text.replaceAll('\r', '\n')),
    toFile: at => at + start,
    endingAt: () => '\r',
  }
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
