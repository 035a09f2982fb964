import { lstat, lstatSync, type Stats } from 'node:fs'
import { promisify } from 'node:util'
import { lookPaced, type Pace } from './walk-pace.js'

const lstatPooled = promisify(lstat)

/** Of each path whether it is, now and not by way of a link, a regular file of at most `maxBytes`. Never rejects. */
export function areFilesUpTo(paths: readonly string[], maxBytes: number, pace: Pace): Promise<boolean[]> {
  const isOne = (stats: Stats | undefined) => stats?.isFile() === true && stats.size <= maxBytes
  return lookPaced(paths, pace, {
    blocking(path, startedAt) {
      const stats = statBlocking(path)
      pace.took(performance.now() - startedAt)
      return isOne(stats)
    },
    pooled: path => lstatPooled(path).then(isOne, () => false),
  })
}

function statBlocking(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
