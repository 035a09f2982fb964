import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into an agent before its own code: measures how late its timers come, and writes the longest delay in milliseconds to
 * BENCH_LOOP_FILE when the process ends. SIGUSR2 begins anew, so that the start does not count.
 */

const RESOLUTION_MS = 5

const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
histogram.enable()
process.on('SIGUSR2', () => histogram.reset())
process.on('exit', () => {
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  const figures = { longestMs: late(histogram.max), p99Ms: late(histogram.percentile(99)) }
  writeFileSync(process.env.BENCH_LOOP_FILE ?? '', JSON.stringify(figures))
})
