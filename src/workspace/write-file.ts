import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  renameSync,
  write,
  writeSync,
} from 'node:fs'
import { mkdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { HarnessError } from '../cards/index.js'
import { errnoOf, throwIfAborted, toFileError } from './file-error.js'
import { refuseIrregular, refuseMoved } from './open-file.js'
import { AT_ONCE_BYTES, versionOf } from './read-file.js'
import type { ResolvedPath } from './resolve-path.js'
import { createTemporaryName } from './temporary-name.js'

export interface WriteOptions {
  /** What the caller has read and means to replace; null if the file must not exist. Else CHANGED_SINCE_READ (B16). */
  replacing?: { version: string; bytes?: Buffer } | null
  /** Permission bits; default: those of the existing file. */
  mode?: number
  signal?: AbortSignal
}

const writeLater = promisify(write)
const syncLater = promisify(fsync)

/**
 * Writes a file whole or not at all: a temporary file in the same folder, then rename (B15). Keeps mode and owner of an
 * existing file, creates missing parents, leaves nothing behind when it fails. An abort counts until the rename.
 */
export async function writeWholeFile(
  target: ResolvedPath,
  bytes: Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const folder = dirname(target.realPath)
  let missing: string | undefined
  try {
    const existing = statExisting(target)
    if (existing !== undefined) accessSync(target.realPath, constants.W_OK)
    else missing = firstMissing(folder)
    if (missing !== undefined) await mkdir(folder, { recursive: true })
    await replaceFile(target, folder, bytes, existing, options)
  } catch (error) {
    if (missing !== undefined) await removeFolders(folder, missing)
    throw toFileError(error, 'write', target.spoken)
  }
}

async function replaceFile(
  target: ResolvedPath,
  folder: string,
  bytes: Uint8Array,
  existing: BigIntStats | undefined,
  options: WriteOptions,
): Promise<void> {
  const temporary = join(folder, createTemporaryName())
  const noFollow = constants.O_NOFOLLOW ?? 0
  const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o666)
  try {
    try {
      const created = fstatSync(fd, { bigint: true })
      refuseMoved(target, created, temporary)
      await writeBytes(fd, bytes, options.signal)
      if (existing !== undefined) keepOwnerAndMode(fd, created, existing)
      if (options.mode !== undefined) fchmodSync(fd, options.mode)
      await syncLater(fd)
    } finally {
      closeSync(fd)
    }
    throwIfAborted(options.signal)
    refuseChanged(target, options.replacing)
    await renameOver(temporary, target.realPath)
  } catch (error) {
    await rm(temporary, { force: true })
    if (options.signal?.aborted) throwIfAborted(options.signal)
    throw error
  }
}

async function writeBytes(fd: number, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  const isSmall = bytes.length <= AT_ONCE_BYTES
  for (let done = 0; done < bytes.length; ) {
    throwIfAborted(signal)
    const length = Math.min(bytes.length - done, AT_ONCE_BYTES)
    done += isSmall ? writeSync(fd, bytes, done, length) : (await writeLater(fd, bytes, done, length)).bytesWritten
  }
}

/** Stats of the regular file at the resolved path; undefined if there is nothing. Throws NOT_A_FILE. */
export function statExisting(target: ResolvedPath): BigIntStats | undefined {
  const stats = lstatSync(target.realPath, { bigint: true, throwIfNoEntry: false })
  if (stats !== undefined) refuseIrregular(stats, target.spoken)
  return stats
}

/** Throws CHANGED_SINCE_READ unless the file is what the caller means to replace. */
export function refuseChanged(target: ResolvedPath, replacing: WriteOptions['replacing']): void {
  if (replacing === undefined) return
  const now = statExisting(target)
  if (replacing === null ? now === undefined : now !== undefined && versionOf(now) === replacing.version) return
  throw new HarnessError(
    'CHANGED_SINCE_READ',
    `${target.spoken} was changed by somebody else just now, and nothing was written. Read it again.`,
  )
}

// The owner first: changing it clears set-id bits. Only root can give a file away; for others it then belongs to its writer.
function keepOwnerAndMode(fd: number, created: BigIntStats, existing: BigIntStats): void {
  if (created.uid !== existing.uid || created.gid !== existing.gid) {
    try {
      fchownSync(fd, Number(existing.uid), Number(existing.gid))
    } catch {
      // It stays its writer's.
    }
  }
  if (created.mode !== existing.mode) fchmodSync(fd, Number(existing.mode & 0o7777n))
}

// On Windows a scanner or an indexer holds a new file for a moment, and the rename fails meanwhile.
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      const held = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error))
      if (!held || attempt === 6) throw error
      await delay(20 * attempt)
    }
  }
}

/** The topmost folder on the way that does not exist. */
export function firstMissing(folder: string): string | undefined {
  let missing: string | undefined
  for (let at = folder; lstatSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) {
    missing = at
    if (dirname(at) === at) break
  }
  return missing
}

/** Removes folders from `deepest` up to `topmost`. Only empty ones go: another call may have put a file there meanwhile. */
export async function removeFolders(deepest: string, topmost: string): Promise<void> {
  for (let folder = deepest; ; folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') return
    }
    if (folder === topmost) return
  }
}
