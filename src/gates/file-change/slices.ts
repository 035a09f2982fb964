import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_MS = 8
const ITEMS_PER_LOOK = 8

/** Calls `each` in order and lets the event loop go on every few milliseconds; false if `stop` said so before the end. */
export async function inSlices<T>(items: Iterable<T>, each: (item: T) => void, stop: () => boolean): Promise<boolean> {
  let sliceEnd = performance.now() + SLICE_MS
  let count = 0
  for (const item of items) {
    each(item)
    count += 1
    if (count % ITEMS_PER_LOOK !== 0 || performance.now() < sliceEnd) continue
    if (stop()) return false
    await nextTurn()
    sliceEnd = performance.now() + SLICE_MS
  }
  return true
}
