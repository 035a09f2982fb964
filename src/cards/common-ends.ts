import { countLineEndings } from './lines.js'

/** Two texts without most of what they have in common at both ends. */
export interface DifferingMiddle {
  oldText: string
  newText: string
  /** Number of lines cut off above. */
  linesAbove: number
}

/**
 * Cuts the common head and tail off two texts, up to `contextLines` lines around the difference. Cuts only after LF, so a
 * CRLF pair is never parted.
 */
export function cutDifferingMiddle(before: string, after: string, contextLines: number): DifferingMiddle {
  const prefix = commonPrefixLength(before, after)
  let start = lineStartAtOrBefore(before, prefix)
  const suffix = commonSuffixLength(before, after, Math.min(before.length, after.length) - start)
  let oldEnd = before.length - suffix
  if (!isLineStart(before, oldEnd) || !isLineStart(after, after.length - suffix)) oldEnd = nextLineStart(before, oldEnd)
  for (let n = 0; n < contextLines; n++) {
    start = lineStartAtOrBefore(before, start - 1)
    oldEnd = nextLineStart(before, oldEnd)
  }
  return {
    oldText: before.slice(start, oldEnd),
    newText: after.slice(start, after.length - (before.length - oldEnd)),
    linesAbove: countLineEndings(before, start),
  }
}

/** Texts are compared in pieces of these lengths, a piece at a time as long as they are equal. */
const STEPS = [4096, 256, 16, 1]

function commonPrefixLength(left: string, right: string): number {
  const limit = Math.min(left.length, right.length)
  let at = 0
  for (const step of STEPS) {
    while (at + step <= limit && left.slice(at, at + step) === right.slice(at, at + step)) at += step
  }
  return at
}

function commonSuffixLength(left: string, right: string, limit: number): number {
  let length = 0
  for (const step of STEPS) {
    while (length + step <= limit && endingAt(left, length, step) === endingAt(right, length, step)) length += step
  }
  return length
}

function endingAt(text: string, fromEnd: number, step: number): string {
  return text.slice(text.length - fromEnd - step, text.length - fromEnd)
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 10
}

function lineStartAtOrBefore(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

function nextLineStart(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline === -1 ? text.length : newline + 1
}
