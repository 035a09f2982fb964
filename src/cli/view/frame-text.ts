import type { TranscriptLine } from '../../bridge/index.js'
import { formatBytes } from '../../cards/index.js'

const MAX_STRING_LENGTH = 2_000
const MAX_ITEMS = 100
const MAX_DEPTH = 40
const MAX_TEXT_LENGTH = 24_000

/** A line of a transcript for a reader: indented JSON with long strings and lists cut, and every cut stated. */
export function frameText(item: TranscriptLine): string {
  if (item.type === 'broken') return item.text === undefined ? '[not read]' : cut(item.text, MAX_STRING_LENGTH)
  return valueText(item.msg)
}

/** Any JSON value for a reader, within a bound. */
export function valueText(value: unknown): string {
  return cut(JSON.stringify(shorten(value, 0), undefined, 2) ?? 'undefined', MAX_TEXT_LENGTH)
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(value, MAX_STRING_LENGTH)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[deeper values left out]'
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(item => shorten(item, depth + 1))
    return value.length > MAX_ITEMS ? [...items, `[${value.length - MAX_ITEMS} more left out]`] : items
  }
  const entries = Object.entries(value)
  const shown = entries.slice(0, MAX_ITEMS).map(([key, inner]) => [cut(key, 200), shorten(inner, depth + 1)])
  if (entries.length > MAX_ITEMS) shown.push(['…', `[${entries.length - MAX_ITEMS} more left out]`])
  return Object.fromEntries(shown)
}

// Copied, so that the short text does not keep the long one in memory.
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const head = Buffer.from(text.slice(0, max)).toString()
  return `${head}… [cut: ${formatBytes(Buffer.byteLength(text))} in all]`
}
