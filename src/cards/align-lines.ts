import { diffArrays } from 'diff'
import { isSameLine, type LineIndex, sliceLines } from './lines.js'

/** Lines `[oldStart, oldEnd)` became lines `[newStart, newEnd)`; one of the two ranges may be empty, never both. */
export interface LineChange {
  oldStart: number
  oldEnd: number
  newStart: number
  newEnd: number
}

const MAX_EDIT_LENGTH = 500
const MAX_DIFF_MS = 40

/**
 * The changes that turn one text's lines into the other's, in order; what lies between two changes is equal on both sides.
 * Past its budget the answer is coarser and still true: lines compared place by place, or the differing middle as one change.
 */
export function alignLines(before: LineIndex, after: LineIndex): LineChange[] {
  const middle = trimEqualLines(before, after)
  const removed = middle.oldEnd - middle.oldStart
  const added = middle.newEnd - middle.newStart
  if (removed === 0 && added === 0) return []
  if (removed === 0 || added === 0) return [middle]
  const changes =
    diffWithinBudget(before, after, middle) ?? (removed === added ? compareInPlace(before, after, middle) : [middle])
  return slideDown(before, after, addOverlooked(before, after, changes))
}

function trimEqualLines(before: LineIndex, after: LineIndex): LineChange {
  let start = 0
  const limit = Math.min(before.count, after.count)
  while (start < limit && isSameLine(before, start, after, start)) start++
  let oldEnd = before.count
  let newEnd = after.count
  while (oldEnd > start && newEnd > start && isSameLine(before, oldEnd - 1, after, newEnd - 1)) {
    oldEnd--
    newEnd--
  }
  return { oldStart: start, oldEnd, newStart: start, newEnd }
}

function diffWithinBudget(before: LineIndex, after: LineIndex, middle: LineChange): LineChange[] | undefined {
  const oldSketches = before.sketches.slice(middle.oldStart, middle.oldEnd)
  const newSketches = after.sketches.slice(middle.newStart, middle.newEnd)
  // Lines without a counterpart are added or removed in any case: a hopeless pair need not cost the time limit (B08).
  if (countMissing(oldSketches, newSketches) + countMissing(newSketches, oldSketches) > MAX_EDIT_LENGTH)
    return undefined
  const parts = diffArrays(oldSketches, newSketches, { maxEditLength: MAX_EDIT_LENGTH, timeout: MAX_DIFF_MS })
  if (parts === undefined) return undefined
  const changes: LineChange[] = []
  let oldAt = middle.oldStart
  let newAt = middle.newStart
  for (const part of parts) {
    const oldEnd = part.added ? oldAt : oldAt + part.count
    const newEnd = part.removed ? newAt : newAt + part.count
    if (part.added || part.removed) append(changes, { oldStart: oldAt, oldEnd, newStart: newAt, newEnd })
    oldAt = oldEnd
    newAt = newEnd
  }
  return changes
}

function countMissing(sketches: readonly number[], others: readonly number[]): number {
  const known = new Set(others)
  let missing = 0
  for (const sketch of sketches) if (!known.has(sketch)) missing++
  return missing
}

function compareInPlace(before: LineIndex, after: LineIndex, middle: LineChange): LineChange[] {
  const changes: LineChange[] = []
  const shift = middle.newStart - middle.oldStart
  for (let at = middle.oldStart; at < middle.oldEnd; at++) {
    if (before.sketches[at] === after.sketches[at + shift]) continue
    append(changes, { oldStart: at, oldEnd: at + 1, newStart: at + shift, newEnd: at + shift + 1 })
  }
  return changes
}

/**
 * Lines were compared by sketch, and different lines can share one: adds the lines that differ between the changes, each as
 * a change in its place.
 */
function addOverlooked(before: LineIndex, after: LineIndex, changes: readonly LineChange[]): LineChange[] {
  const complete: LineChange[] = []
  const look = (oldStart: number, oldEnd: number, newStart: number) => {
    const newEnd = newStart + oldEnd - oldStart
    if (sliceLines(before, oldStart, oldEnd) === sliceLines(after, newStart, newEnd)) return
    if (oldEnd - oldStart === 1) {
      append(complete, { oldStart, oldEnd, newStart, newEnd })
      return
    }
    const half = (oldEnd - oldStart) >> 1
    look(oldStart, oldStart + half, newStart)
    look(oldStart + half, oldEnd, newStart + half)
  }
  let oldAt = 0
  let newAt = 0
  for (const change of changes) {
    look(oldAt, change.oldStart, newAt)
    append(complete, { ...change })
    oldAt = change.oldEnd
    newAt = change.newEnd
  }
  look(oldAt, before.count, newAt)
  return complete
}

/**
 * Moves each pure insertion and deletion down past lines that read the same either way. Then the first line of a change is
 * the first line in which the two sides differ, and the number shown for it is not a matter of chance.
 */
function slideDown(before: LineIndex, after: LineIndex, changes: readonly LineChange[]): LineChange[] {
  const slid: LineChange[] = []
  for (let n = changes.length - 1; n >= 0; n--) {
    const change = { ...changes[n]! }
    let below = slid.at(-1)
    slide(before, after, change, below?.oldStart ?? before.count)
    while (below && change.oldEnd === below.oldStart) {
      change.oldEnd = below.oldEnd
      change.newEnd = below.newEnd
      slid.pop()
      below = slid.at(-1)
      slide(before, after, change, below?.oldStart ?? before.count)
    }
    slid.push(change)
  }
  return slid.reverse()
}

function slide(before: LineIndex, after: LineIndex, change: LineChange, oldLimit: number): void {
  const inserts = change.oldStart === change.oldEnd
  if (!inserts && change.newStart !== change.newEnd) return
  while (
    change.oldEnd < oldLimit &&
    (inserts
      ? isSameLine(after, change.newStart, after, change.newEnd)
      : isSameLine(before, change.oldStart, before, change.oldEnd))
  ) {
    change.oldStart++
    change.oldEnd++
    change.newStart++
    change.newEnd++
  }
}

function append(changes: LineChange[], change: LineChange): void {
  const last = changes.at(-1)
  if (last && last.oldEnd === change.oldStart && last.newEnd === change.newStart) {
    last.oldEnd = change.oldEnd
    last.newEnd = change.newEnd
  } else {
    changes.push(change)
  }
}
