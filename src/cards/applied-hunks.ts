import { alignLines } from './align-lines.js'
import { cutDifferingMiddle } from './common-ends.js'
import { toHunks } from './hunks.js'
import { describeLineEndingChange } from './line-endings.js'
import { indexLines, toLf } from './lines.js'
import { byteLength, formatBytes } from './text-bytes.js'
import type { FileDiff } from './views.js'

export interface AppliedHunksOptions {
  /** Unchanged lines shown above and below a change; 3 by default. */
  contextLines?: number
  /** Limit for the text of all hunks, both sides together, as UTF-8; 256 KiB by default. Past it there are none. */
  maxBytes?: number
}

/** A change of one file as hunks. Plain data. */
export type AppliedHunks = {
  /** In the order of the file. Empty if nothing changed, or if `reason` says why none can be shown. */
  hunks: FileDiff[]
  /** Sentences on what the hunks do not show: other line endings, a byte-order mark, or all of it for its size. */
  reason?: string
}

const BYTE_ORDER_MARK = '\ufeff'
const DEFAULT_CONTEXT_LINES = 3
const DEFAULT_MAX_BYTES = 256 * 1024
const MAX_HUNKS = 500
/** A differing middle longer than this is not looked into: indexing its lines alone would block (B08). */
const MAX_COMPARED_LENGTH = 8 * 1024 * 1024

/**
 * The hunks by which `after` differs from `before`: the text of a file as it was (null if there was no file) and as it was
 * really written. Each hunk is an exact slice of the file's lines, without byte-order mark and with LF.
 */
export function appliedHunks(
  path: string,
  before: string | null,
  after: string,
  options: AppliedHunksOptions = {},
): AppliedHunks {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  if (before === null) {
    const hunk: FileDiff = { path, oldText: null, newText: toLf(withoutByteOrderMark(after)), line: 1 }
    if (fits([hunk], maxBytes)) return { hunks: [hunk] }
    return { hunks: [], reason: `The file is too large to show (${formatBytes(byteLength(after))}).` }
  }
  if (before === after) return { hunks: [] }
  const compared = compare(path, before, after, options.contextLines ?? DEFAULT_CONTEXT_LINES)
  const reasons: string[] = []
  if (compared === undefined || !fits(compared.hunks, maxBytes)) reasons.push(tooLarge(before, after))
  const hunks = compared === undefined || reasons.length > 0 ? [] : compared.hunks
  if (compared?.endings !== undefined) {
    const what = compared.hunks.length === 0 ? 'Only line endings changed' : 'Line endings changed too'
    reasons.push(`${what} (${compared.endings}).`)
  }
  if (hasByteOrderMark(before) !== hasByteOrderMark(after)) {
    reasons.push(`The byte-order mark was ${hasByteOrderMark(after) ? 'added' : 'removed'}.`)
  }
  return { hunks, ...(reasons.length > 0 && { reason: reasons.join(' ') }) }
}

function compare(path: string, before: string, after: string, contextLines: number) {
  const raw = cutDifferingMiddle(withoutByteOrderMark(before), withoutByteOrderMark(after), contextLines)
  if (Math.max(raw.oldText.length, raw.newText.length) > MAX_COMPARED_LENGTH) return undefined
  const lf = cutDifferingMiddle(toLf(raw.oldText), toLf(raw.newText), contextLines)
  const oldLines = indexLines(lf.oldText)
  const newLines = indexLines(lf.newText)
  const aligned = alignLines(oldLines, newLines)
  const changes =
    aligned.length <= MAX_HUNKS
      ? aligned
      : [{ ...aligned.at(-1)!, oldStart: aligned[0]!.oldStart, newStart: aligned[0]!.newStart }]
  return {
    hunks: toHunks(path, oldLines, newLines, changes, contextLines, raw.linesAbove + lf.linesAbove + 1),
    endings: describeLineEndingChange(raw.oldText, raw.newText, changes, lf.linesAbove),
  }
}

function fits(hunks: readonly FileDiff[], maxBytes: number): boolean {
  let length = 0
  for (const { oldText, newText } of hunks) length += (oldText?.length ?? 0) + newText.length
  if (length > maxBytes) return false
  let bytes = 0
  for (const { oldText, newText } of hunks) bytes += byteLength(oldText ?? '') + byteLength(newText)
  return bytes <= maxBytes
}

function tooLarge(before: string, after: string): string {
  const sizes = `${formatBytes(byteLength(before))} before, ${formatBytes(byteLength(after))} after`
  return `The change is too large to show (${sizes}).`
}

function hasByteOrderMark(text: string): boolean {
  return text.startsWith(BYTE_ORDER_MARK)
}

function withoutByteOrderMark(text: string): string {
  return hasByteOrderMark(text) ? text.slice(1) : text
}
