import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { HarnessError } from '../cards/index.js'
import { toFileError } from './file-error.js'
import type { ResolvedPath } from './resolve-path.js'

export interface OpenedFile {
  /** The caller closes it. */
  fd: number
  stats: BigIntStats
}

// Absent on Windows, where opening never waits for a writer and links are told apart by the identity check below.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a regular file for reading, never waiting for a FIFO or touching a device (B66). What is opened is the file at the
 * resolved path even if a folder on the way was swapped for a link in between (B63). At once: some microseconds for each
 * call of the system, where a trip through the thread pool costs many times that.
 */
export function openFile(target: ResolvedPath): OpenedFile {
  try {
    refuseIrregular(lstatSync(target.realPath), target.spoken)
    const fd = openSync(target.realPath, flags)
    try {
      const stats = fstatSync(fd, { bigint: true })
      refuseIrregular(stats, target.spoken)
      refuseMoved(target, stats)
      return { fd, stats }
    } catch (error) {
      closeSync(fd)
      throw error
    }
  } catch (error) {
    throw toFileError(error, 'read', target.spoken)
  }
}

/** Throws FILE_FAILED unless the path still leads, without any link, to the file these stats are of. */
export function refuseMoved(target: ResolvedPath, stats: BigIntStats, at = target.realPath): void {
  const now = lstatSync(at, { bigint: true })
  if (realpathSync.native(at) !== at || now.ino !== stats.ino || now.dev !== stats.dev) {
    throw new HarnessError('FILE_FAILED', `${target.spoken} was moved or replaced just now. Try again.`)
  }
}

/** Throws NOT_A_FILE, naming what it is instead, unless the stats are those of a regular file. */
export function refuseIrregular(stats: Stats | BigIntStats, spoken: string): void {
  if (stats.isFile()) return
  const kind = stats.isDirectory()
    ? 'a directory'
    : stats.isFIFO()
      ? 'a FIFO (named pipe)'
      : stats.isSocket()
        ? 'a socket'
        : stats.isSymbolicLink()
          ? 'a link'
          : 'a device'
  throw new HarnessError('NOT_A_FILE', `${spoken} is ${kind}, not a file.`)
}
