import { HarnessError } from '../cards/index.js'

/** The reason of a failed file operation in a few words, without the path that the caller names anyway. */
function failureReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const match = /^([A-Z][A-Z0-9]+): (.+?)(?:, \w+(?: .*)?)?$/s.exec(cause.message)
  return match ? `${match[2]} (${match[1]})` : cause.message
}

/** STATE_DIR_FAILED that names the directory, the reason and the way out. */
export function stateDirError(directory: string, cause: unknown): HarnessError {
  return new HarnessError(
    'STATE_DIR_FAILED',
    `The state directory ${directory} cannot be written: ${failureReason(cause)}. ` +
      'Make it writable, or set DECKHAND_STATE_DIR to a directory that is.',
    { cause },
  )
}

/** LOG_FAILED that names the log and the reason. */
export function logError(path: string, action: 'read' | 'written' | 'removed', cause: unknown): HarnessError {
  return new HarnessError('LOG_FAILED', `The session log ${path} cannot be ${action}: ${failureReason(cause)}.`, {
    cause,
  })
}

/** True for an error of node:fs with one of these codes. */
export function hasErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
