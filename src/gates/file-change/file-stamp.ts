import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'

/** What tells one version of a file from another without reading it. */
export interface FileStamp {
  sizeBytes: number
  mtimeMs: number
  /** When content or attributes last changed, by the file system's clock; no program can set it. */
  ctimeMs: number
  ino: number
  /** Permission bits. */
  mode: number
  /** Written so short before it was looked at that a later write may have the same times. */
  racy: boolean
  /** It has other names, perhaps in other folders. */
  linked: boolean
}

/** The clock of a file system moves in steps of a few milliseconds. */
export const CLOCK_STEP_MS = 30

const noThrow = { throwIfNoEntry: false } as const
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** The stamp of a regular file; undefined if there is none. Synchronous: a promise for each of 20,000 files costs five times as much. */
export function stampOf(realPath: string): FileStamp | undefined {
  try {
    const stats = lstatSync(realPath, noThrow)
    return stats?.isFile() ? toStamp(stats) : undefined
  } catch {
    return undefined
  }
}

/** False if the file has gone or is another version than `stamp`. */
export function isUnchanged(realPath: string, stamp: FileStamp): boolean {
  try {
    const stats = lstatSync(realPath, noThrow)
    return stats !== undefined && isVersion(stats, stamp)
  } catch {
    return false
  }
}

/** Modification time of a directory; undefined if there is none. */
export function folderTimeOf(realPath: string): number | undefined {
  try {
    const stats = lstatSync(realPath, noThrow)
    return stats?.isDirectory() ? stats.mtimeMs : undefined
  } catch {
    return undefined
  }
}

/** What tells a directory from another that took its place later; undefined if there is none. */
export function folderIdentityOf(realPath: string): { device: number; id: string } | undefined {
  try {
    const stats = lstatSync(realPath, noThrow)
    if (!stats?.isDirectory()) return undefined
    return { device: stats.dev, id: `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` }
  } catch {
    return undefined
  }
}

/** True if a file or a directory has this name, and no link. */
export function isListable(realPath: string): boolean {
  try {
    const stats = lstatSync(realPath, noThrow)
    return stats !== undefined && (stats.isFile() || stats.isDirectory())
  } catch {
    return false
  }
}

/** The bytes of a file that still has this stamp; undefined if it has not, cannot be read, or is longer than `maxBytes`. */
export function readStamped(realPath: string, stamp: FileStamp, maxBytes: number): Buffer | undefined {
  if (stamp.sizeBytes > maxBytes) return undefined
  try {
    const fd = openSync(realPath, flags)
    try {
      const stats = fstatSync(fd)
      if (!isVersion(stats, stamp)) return undefined
      const bytes = Buffer.allocUnsafeSlow(stats.size)
      let length = 0
      while (length < bytes.length) {
        const read = readSync(fd, bytes, length, bytes.length - length, length)
        if (read === 0) return undefined
        length += read
      }
      return bytes
    } finally {
      closeSync(fd)
    }
  } catch {
    return undefined
  }
}

// Attributes are part of it: no program can change a file and keep all four.
function isVersion(stats: Stats, { sizeBytes, mtimeMs, ctimeMs, ino }: FileStamp): boolean {
  return (
    stats.mtimeMs === mtimeMs &&
    stats.ctimeMs === ctimeMs &&
    stats.size === sizeBytes &&
    stats.ino === ino &&
    stats.isFile()
  )
}

function toStamp(stats: Stats): FileStamp {
  const { size, mtimeMs, ctimeMs, ino, mode, nlink } = stats
  const racy = Date.now() - ctimeMs < CLOCK_STEP_MS
  return { sizeBytes: size, mtimeMs, ctimeMs, ino, mode: mode & 0o7777, racy, linked: nlink > 1 }
}
