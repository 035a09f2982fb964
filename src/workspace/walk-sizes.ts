import { lstat, lstatSync, type Stats } from 'node:fs'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Pace } from './walk-pace.js'

const SLICE_MS = 10
const lstatPooled = promisify(lstat)

/** Of each path whether it is, now and not by way of a link, a regular file of at most `maxBytes`. Never rejects. */
export async function areFilesUpTo(paths: readonly string[], maxBytes: number, pace: Pace): Promise<boolean[]> {
  const isOne = (stats: Stats | undefined) => stats?.isFile() === true && stats.size <= maxBytes
  const found: (boolean | Promise<boolean>)[] = []
  let sliceEnd = performance.now() + SLICE_MS
  for (const path of paths) {
    const startedAt = performance.now()
    if (pace.blocks) {
      found.push(isOne(statBlocking(path)))
      pace.took(performance.now() - startedAt)
    } else {
      pace.pooled()
      found.push(lstatPooled(path).then(isOne, () => false))
    }
    if (startedAt < sliceEnd) continue
    await yieldToLoop()
    sliceEnd = performance.now() + SLICE_MS
  }
  return Promise.all(found)
}

function statBlocking(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
