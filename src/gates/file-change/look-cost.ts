import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KnownFile } from './copies.js'
import { isUnchanged } from './file-stamp.js'

const SAMPLES = 40
const SAMPLE_FILES = 64

/**
 * About how long the two looks around a command take for so many files, on this file system and machine. From the fastest of
 * several samples: what else the machine does meanwhile does not count.
 */
export async function measureLooks(files: ReadonlyMap<string, KnownFile>): Promise<number> {
  if (files.size < SAMPLES * SAMPLE_FILES) return 0
  const names = [...files]
  let fastestMs = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < SAMPLES; sample++) {
    const first = Math.floor((sample * (names.length - SAMPLE_FILES)) / (SAMPLES - 1))
    const part = names.slice(first, first + SAMPLE_FILES)
    await nextTurn()
    const start = performance.now()
    for (const [path, { stamp }] of part) isUnchanged(path, stamp)
    fastestMs = Math.min(fastestMs, performance.now() - start)
  }
  return (2 * files.size * fastestMs) / SAMPLE_FILES
}
