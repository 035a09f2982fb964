import { accessSync, type BigIntStats, constants, fchmodSync, fstatSync, lstatSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { HarnessError } from '../cards/index.js'
import { errnoOf, throwIfAborted, toFileError } from './file-error.js'
import { refuseIrregular, refuseMoved } from './open-file.js'
import { versionOf } from './read-file.js'
import type { ResolvedPath } from './resolve-path.js'
import { createTemporaryName } from './temporary-name.js'

export interface WriteOptions {
  /** What the caller has read and means to replace; null if the file must not exist. Else CHANGED_SINCE_READ (B16). */
  replacing?: { version: string; bytes?: Buffer } | null
  /** Permission bits; default: those of the existing file. */
  mode?: number
  signal?: AbortSignal
}

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
  const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o666)
  try {
    try {
      refuseMoved(target, fstatSync(handle.fd, { bigint: true }), temporary)
      await handle.writeFile(bytes, { signal: options.signal })
      if (existing !== undefined) await keepOwnerAndMode(handle, existing)
      if (options.mode !== undefined) fchmodSync(handle.fd, options.mode)
      await handle.sync()
    } finally {
      await handle.close()
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
async function keepOwnerAndMode(handle: FileHandle, existing: BigIntStats): Promise<void> {
  const own = fstatSync(handle.fd, { bigint: true })
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    await handle.chown(Number(existing.uid), Number(existing.gid)).catch(() => {})
  }
  fchmodSync(handle.fd, Number(existing.mode & 0o7777n))
}

// On Windows a scanner or an indexer holds a new file for a moment, and the rename fails meanwhile.
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to)
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
