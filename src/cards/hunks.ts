import type { LineChange } from './align-lines.js'
import { type LineIndex, sliceLines } from './lines.js'
import type { FileDiff } from './views.js'

/** A longer line is no context: a minified line must not drown the change next to it. */
const MAX_CONTEXT_LINE_LENGTH = 4096

/**
 * Cuts the changes of a file out with up to `contextLines` lines around each; changes whose context meets share a hunk.
 * `firstLine` is the number, in the whole file, of the first line of `after`.
 */
export function toHunks(
  path: string,
  before: LineIndex,
  after: LineIndex,
  changes: readonly LineChange[],
  contextLines: number,
  firstLine: number,
): FileDiff[] {
  const hunks: { lines: LineChange; line: number }[] = []
  for (const [n, change] of changes.entries()) {
    const previous = hunks.at(-1)
    const above = countContext(before, change.oldStart - 1, -1, contextLines, previous?.lines.oldEnd ?? 0)
    const below = countContext(before, change.oldEnd, 1, contextLines, (changes[n + 1]?.oldStart ?? before.count) - 1)
    if (previous && change.oldStart - above === previous.lines.oldEnd) {
      previous.lines.oldEnd = change.oldEnd + below
      previous.lines.newEnd = change.newEnd + below
      continue
    }
    hunks.push({
      lines: {
        oldStart: change.oldStart - above,
        oldEnd: change.oldEnd + below,
        newStart: change.newStart - above,
        newEnd: change.newEnd + below,
      },
      // A deletion at the end of the file has no line of its own left: the last line stands for it.
      line: Math.max(1, firstLine + Math.min(change.newStart, after.count - 1)),
    })
  }
  return hunks.map(({ lines, line }) => ({
    path,
    oldText: sliceLines(before, lines.oldStart, lines.oldEnd),
    newText: sliceLines(after, lines.newStart, lines.newEnd),
    line,
  }))
}

/** How many lines from `first` on, in direction `step` and up to line `limit`, serve as context. */
function countContext(lines: LineIndex, first: number, step: 1 | -1, wanted: number, limit: number): number {
  let count = 0
  for (let at = first; count < wanted && (limit - at) * step >= 0; at += step) {
    if (lines.starts[at + 1]! - lines.starts[at]! > MAX_CONTEXT_LINE_LENGTH) break
    count++
  }
  return count
}
