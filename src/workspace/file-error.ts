import { type ErrorCode, HarnessError, isHarnessError } from '../cards/index.js'

const reasons: Record<string, [ErrorCode, string]> = {
  EACCES: ['FILE_FAILED', 'permission denied'],
  EBUSY: ['FILE_FAILED', 'another program or a mount holds it'],
  EDQUOT: ['FILE_FAILED', 'the disk quota is used up'],
  EEXIST: ['FILE_FAILED', 'something else of that name is in the way'],
  EFBIG: ['FILE_FAILED', 'the file would be too large for this file system'],
  EISDIR: ['NOT_A_FILE', 'it is a directory'],
  ELOOP: ['FILE_FAILED', 'its links lead in a circle'],
  EMFILE: ['FILE_FAILED', 'too many files are open'],
  ENAMETOOLONG: ['FILE_FAILED', 'the name is too long'],
  ENFILE: ['FILE_FAILED', 'too many files are open'],
  ENODEV: ['NOT_A_FILE', 'it is no regular file'],
  ENOENT: ['NOT_FOUND', 'no such file or directory'],
  ENOSPC: ['FILE_FAILED', 'the disk is full'],
  ENOTDIR: ['NOT_FOUND', 'a part of the path before its last name is no directory'],
  ENXIO: ['NOT_A_FILE', 'it is no regular file'],
  EPERM: ['FILE_FAILED', 'the operation is not permitted'],
  EROFS: ['FILE_FAILED', 'the file system is read-only'],
  ETXTBSY: ['FILE_FAILED', 'it is a program that is running'],
}

/** A HarnessError for whatever a file operation threw: `doing` ("read", "write") and the path as the caller wrote it. */
export function toFileError(error: unknown, doing: string, path: string): HarnessError {
  if (isHarnessError(error)) return error
  const errno = errnoOf(error)
  const [code, reason] = reasons[errno] ?? ['FILE_FAILED', `the file system refused (${errno || 'no reason given'})`]
  return new HarnessError(code, `Cannot ${doing} ${path}: ${reason}.`, { cause: error })
}

/** The errno name of a system error, `ENOENT`, or an empty string. */
export function errnoOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** Throws ABORTED if the signal has fired: the operation stops at a point where nothing is half done. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new HarnessError('ABORTED', 'The call was stopped.', { cause: signal.reason })
}
