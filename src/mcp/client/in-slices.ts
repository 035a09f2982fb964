import { setImmediate as nextTurn } from 'node:timers/promises'

/** After so long, or so many steps, other work gets its turn: what a message sets off runs after the step that took it. */
const SLICE_MS = 5
const SLICE_STEPS = 30

/** Takes all steps, the first ones at once. A promise if others are left for later turns of the event loop. */
export function inSlices(steps: Iterator<void>): Promise<void> | undefined {
  return takeSlice(steps) ? undefined : takeOthers(steps)
}

async function takeOthers(steps: Iterator<void>): Promise<void> {
  do await nextTurn()
  while (!takeSlice(steps))
}

/** True if there are no more. */
function takeSlice(steps: Iterator<void>): boolean {
  const sliceEnd = performance.now() + SLICE_MS
  for (let count = 0; count < SLICE_STEPS && performance.now() < sliceEnd; count++) {
    if (steps.next().done) return true
  }
  return false
}
