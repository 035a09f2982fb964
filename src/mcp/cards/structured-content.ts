import { isDeepStrictEqual } from 'node:util'
import { type ContentBlock, isRecord, text } from '../../cards/index.js'

const MAX_COMPARED_CHARS = 1024 * 1024

/**
 * The structured content of a result as a text for the model, unless the content says the same already, which servers are
 * asked to do. `_meta` in it is for the card and no part of it.
 */
export function toStructuredText(structured: unknown, content: readonly ContentBlock[]): ContentBlock | undefined {
  if (structured === undefined || structured === null) return undefined
  const told = withoutMeta(structured)
  if (isEmpty(told)) return undefined
  const isTold = content.some(block => block.type === 'text' && isSame(block.text, told))
  return isTold ? undefined : text(toText(told))
}

function isSame(given: string, structured: unknown): boolean {
  if (given.length > MAX_COMPARED_CHARS) return false
  // Some libraries wrap what is no object as {"result": …}, and give the bare value as text.
  const wrapped = toWrapped(structured)
  if (wrapped !== undefined && given === String(wrapped)) return true
  try {
    const value: unknown = JSON.parse(given)
    return isDeepStrictEqual(value, structured) || (wrapped !== undefined && isDeepStrictEqual(value, wrapped))
  } catch {
    // No JSON, or nested deeper than can be compared.
    return false
  }
}

function toWrapped(structured: unknown): unknown {
  if (typeof structured !== 'object' || structured === null) return undefined
  const keys = Object.keys(structured)
  return keys.length === 1 && keys[0] === 'result' ? (structured as { result: unknown }).result : undefined
}

function withoutMeta(structured: unknown): unknown {
  if (!isRecord(structured)) return structured
  return Object.fromEntries(Object.entries(structured).filter(([key]) => key !== '_meta'))
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 1) ?? String(value)
  } catch {
    return '[structured content, nested too deep to be written]'
  }
}
