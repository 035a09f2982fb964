import { HarnessError } from '../cards/index.js'
import { describeValue } from './describe-value.js'
import { failedResult } from './failure.js'
import { checkContent, copyMeta } from './result-parts.js'
import type { ToolErrorInfo, ToolExecutionResult } from './types.js'

/** What a tool's body returned, as a frozen result: a listener changes a result only by returning another. */
export function toToolResult(callId: string, output: unknown, warn: (problem: string) => void): ToolExecutionResult {
  const parts: { content?: unknown; meta?: unknown } =
    isObject(output) && !Array.isArray(output) ? output : { content: output }
  const meta = copyMeta(parts.meta)
  if (meta === undefined && parts.meta !== undefined) warn('its meta cannot be written as JSON and is left out')
  const content = checkContent(parts.content)
  if (content === undefined) {
    const came = describeValue(parts.content)
    const problem = `The tool has run, but what it returned is no list of content blocks (${came}).`
    const failed = failedResult(callId, new HarnessError('TOOL_FAILED', problem))
    return meta === undefined ? failed : Object.freeze({ ...failed, meta })
  }
  return Object.freeze({ callId, content, isError: false, ...(meta !== undefined && { meta }) })
}

/**
 * What a listener returned, as a result of this call; undefined if it is none. A failure without its class is a refusal,
 * unless the body's own failure has one.
 */
export function toListenerResult(
  callId: string,
  value: unknown,
  bodyError: ToolErrorInfo | undefined,
): ToolExecutionResult | undefined {
  if (!isObject(value)) return undefined
  const given: { content?: unknown; isError?: unknown; error?: unknown; meta?: unknown } = value
  const content = checkContent(given.content)
  if (content === undefined || typeof given.isError !== 'boolean') return undefined
  const meta = copyMeta(given.meta)
  const { isError } = given
  return Object.freeze({
    callId,
    content,
    isError,
    ...(isError && { error: toErrorInfo(given.error) ?? bodyError ?? { name: 'HarnessError', code: 'REFUSED' } }),
    ...(meta !== undefined && { meta }),
  })
}

function toErrorInfo(error: unknown): ToolErrorInfo | undefined {
  if (!isObject(error)) return undefined
  const { name, code }: { name?: unknown; code?: unknown } = error
  return typeof name === 'string' && typeof code === 'string' ? Object.freeze({ name, code }) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
