/** Time of one call of a function, in milliseconds. */
export interface Timing {
  medianMs: number
  longestMs: number
}

/** Calls a function until `times` calls are done, after as many to warm up as a tenth of them. */
export async function timeOf(times: number, run: () => unknown): Promise<Timing> {
  for (let n = 0; n < Math.max(1, times / 10); n++) await run()
  const taken: number[] = []
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now()
    await run()
    taken.push(performance.now() - startedAt)
  }
  taken.sort((a, b) => a - b)
  return { medianMs: taken[taken.length >> 1] ?? Number.NaN, longestMs: taken.at(-1) ?? Number.NaN }
}

/** Mean time of a function too short for the clock, over `times` calls in a row, in microseconds; the best of five rows. */
export async function meanMicros(times: number, run: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let row = 0; row < 6; row++) {
    const startedAt = performance.now()
    for (let n = 0; n < times; n++) await run()
    // The first row warms up.
    if (row > 0) best = Math.min(best, ((performance.now() - startedAt) * 1000) / times)
  }
  return best
}
