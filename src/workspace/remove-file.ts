import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { throwIfAborted, toFileError } from './file-error.js'
import type { ResolvedPath } from './resolve-path.js'
import { refuseChanged, removeFolders, statExisting, type WriteOptions } from './write-file.js'

export interface RemoveOptions extends Pick<WriteOptions, 'signal'> {
  /** The version that the caller has read. Else CHANGED_SINCE_READ. */
  replacing?: { version: string }
  /** Real path of a folder above the file: it and those below it go too, as far as they are empty then. */
  emptyFolders?: string
}

/** Removes a regular file. Throws NOT_A_FILE, CHANGED_SINCE_READ, FILE_FAILED, ABORTED; no file is no error. */
export async function removeFile(target: ResolvedPath, options: RemoveOptions = {}): Promise<void> {
  try {
    throwIfAborted(options.signal)
    if (statExisting(target) === undefined) return
    refuseChanged(target, options.replacing)
    await rm(target.realPath)
    if (options.emptyFolders !== undefined) await removeFolders(dirname(target.realPath), options.emptyFolders)
  } catch (error) {
    throw toFileError(error, 'remove', target.spoken)
  }
}
