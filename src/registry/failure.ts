import { HarnessError, hasErrorCode, isHarnessError, text } from '../cards/index.js'
import { shorten } from './describe-value.js'
import { checkContent, copyMeta } from './result-parts.js'
import { isToolError } from './tool-error.js'
import type { ToolExecutionResult } from './types.js'

const MAX_MESSAGE_LENGTH = 8192

/**
 * The result of a call that failed by `error`, whatever that is. A HarnessError gives its code, anything else `code`; a
 * ToolError also its content and meta. Gates veto with it: `return failedResult(exec.callId, new HarnessError('REFUSED', …))`.
 */
export function failedResult(callId: string, error: unknown, code = 'TOOL_FAILED'): ToolExecutionResult {
  const info = isHarnessError(error) ? { name: error.name, code: error.code } : { name: errorName(error), code }
  const own = isToolError(error) ? error : undefined
  const content = own?.content && checkContent(own.content)
  const meta = copyMeta(own?.meta)
  return Object.freeze({
    callId,
    content: content ?? Object.freeze([Object.freeze(text(errorMessage(error)))]),
    isError: true,
    error: Object.freeze(info),
    ...(meta !== undefined && { meta }),
  }) as ToolExecutionResult
}

/** What `error` says, in bounded length and never empty. No stack: the reader is the model or the user. */
export function errorMessage(error: unknown): string {
  const message = isErrorLike(error) ? error.message : error
  const said = typeof message === 'string' ? message.trim() : ''
  return said === '' ? `Failed without a message (${errorName(error)}).` : shorten(said, MAX_MESSAGE_LENGTH)
}

function errorName(error: unknown): string {
  return isErrorLike(error) && typeof error.name === 'string' && error.name !== '' ? error.name : 'Error'
}

function isErrorLike(error: unknown): error is { message: unknown; name?: unknown } {
  return typeof error === 'object' && error !== null && 'message' in error
}

/** True for what a body throws when it obeys its signal: ABORTED, the signal's reason, an AbortError of Node or fetch. */
export function isAbortError(error: unknown, reason: unknown): boolean {
  if (hasErrorCode(error, 'ABORTED') || (error !== undefined && error === reason)) return true
  return isErrorLike(error) && error.name === 'AbortError'
}

/**
 * The error of a call that its signal stopped. A HarnessError as the signal's reason (TIMED_OUT) gives code and first words;
 * else the code is `code`.
 */
export function stopError(reason: unknown, code: 'ABORTED' | 'ABORTED_BEFORE_DISPATCH', suffix = ''): HarnessError {
  const isOwn =
    isHarnessError(reason) && !hasErrorCode(reason, 'ABORTED') && !hasErrorCode(reason, 'ABORTED_BEFORE_DISPATCH')
  const said = isOwn ? errorMessage(reason) : 'The call was stopped.'
  return new HarnessError(isOwn ? reason.code : code, suffix === '' ? said : `${said} ${suffix}`, { cause: reason })
}
