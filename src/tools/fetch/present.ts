import {
  fence,
  formatBytes,
  type JsonValue,
  type ToolCallView,
  type ToolResultView,
  takeFirstBytes,
  text,
} from '../../cards/index.js'
import type { ToolResult } from '../../registry/index.js'

/** The card shows the start of a page; the model gets more. */
const MAX_CARD_BYTES = 16 * 1024

export interface FetchArguments {
  url: string
}

export function presentFetchCall({ url }: FetchArguments): ToolCallView | undefined {
  if (url === undefined) return undefined
  return { card: 'generic', kind: 'fetch', title: toTitle(url), rawInput: { url } }
}

/** The page's text as a block that no editor reads as Markdown: it is somebody else's, and might load what it names. */
export function presentFetchResult(
  { url }: FetchArguments,
  { content, isError, meta }: ToolResult,
): ToolResultView | undefined {
  const [block] = content
  if (isError || block?.type !== 'text' || !isRecord(meta) || typeof meta.bytes !== 'number') return undefined
  const start = takeFirstBytes(block.text, MAX_CARD_BYTES)
  const left = Buffer.byteLength(block.text) - Buffer.byteLength(start)
  const note = left > 0 ? `\n[${formatBytes(left)} more for the model]` : ''
  return {
    card: 'generic',
    title: `${toTitle(url)} (${formatBytes(meta.bytes)})`,
    content: [text(fence(`${start}${note}`))],
  }
}

function toTitle(value: string): string {
  if (!URL.canParse(value)) return `Fetch ${value}`
  const { host, pathname } = new URL(value)
  return `Fetch ${host}${pathname}`
}

function isRecord(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
