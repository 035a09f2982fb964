import {
  type ContentBlock,
  headAndTail,
  isRecord,
  type JsonValue,
  type ToolResultView,
  text,
} from '../../cards/index.js'
import { ToolError, type ToolResult } from '../../registry/index.js'
import { boundContent } from './bound-content.js'
import { toContentBlock } from './content-block.js'
import { keepInside } from './keep-inside.js'
import { CARD_KEY, parseResultCard } from './result-card.js'
import { toStructuredText } from './structured-content.js'

const MAX_CARD_TEXT_BYTES = 64 * 1024
/** A block more than are kept is enough to know that there are more; each one costs time. */
const MAX_BLOCKS_READ = 2000
const NO_CARD = { card: undefined, note: undefined }

interface OutputOptions {
  /** Paths are those of Windows. Default: this system's. */
  windows?: boolean
  /** Whether a path, as the server wrote it, lies in the session's directories. Default: all do. */
  isInside?: (path: string) => boolean
}

/**
 * What a server answered to a call, whatever it is, as content of ours: every kind of block, the structured content if no
 * text says the same, all within bounds. `meta.mcp` has the card that the server asked for, or `problem` why there is none.
 * Never throws.
 */
export function toToolOutput(
  result: unknown,
  { windows = process.platform === 'win32', isInside = () => true }: OutputOptions = {},
): ToolResult {
  const given = isRecord(result) ? result : {}
  const listed = Array.isArray(given.content) ? given.content : []
  const blocks = listed.slice(0, MAX_BLOCKS_READ).map(toContentBlock)
  if (listed.length > blocks.length) blocks.push(text(`[${listed.length - blocks.length} more blocks left out]`))
  const structured = given.structuredContent ?? given.toolResult
  const told = toStructuredText(structured, blocks)
  const isError = given.isError === true
  const asked = cardOf(given, structured)
  const parsed = asked === undefined ? undefined : parseResultCard(asked, windows)
  const { card, note } = parsed !== undefined && 'card' in parsed ? keepInside(parsed.card, isInside) : NO_CARD
  const content = [...blocks, ...(told === undefined ? [] : [told]), ...(note === undefined ? [] : [text(note)])]
  const whole = content.length === 0 ? toFallback(card, isError) : content
  const meta = parsed === undefined ? {} : { meta: toMeta(card === undefined ? parsed : { card }) }
  return { content: boundContent(whole), isError, ...meta }
}

/** What a tool's body returns for the answer of a server. Throws ToolError (MCP_TOOL_FAILED) if that is a failure. */
export function toBodyOutput({ content, isError, meta }: ToolResult): { content: ContentBlock[]; meta?: JsonValue } {
  const given = meta === undefined ? {} : { meta }
  if (!isError) return { content, ...given }
  throw new ToolError('MCP_TOOL_FAILED', 'The server says that the call failed.', { content, ...given })
}

function cardOf(result: Record<string, unknown>, structured: unknown): unknown {
  for (const holder of [result, structured]) {
    const meta = isRecord(holder) ? holder._meta : undefined
    if (isRecord(meta) && meta[CARD_KEY] !== undefined) return meta[CARD_KEY]
  }
  return undefined
}

function toMeta(card: { card: ToolResultView } | { problem: string }): JsonValue {
  return { mcp: 'card' in card ? { card: card.card as unknown as JsonValue } : { problem: card.problem } }
}

/** A server that only drew a card: the model learns what it says. */
function toFallback(card: ToolResultView | undefined, isError: boolean): ContentBlock[] {
  switch (card?.card) {
    case 'terminal': {
      const end = card.signal ? `\n[ended by ${card.signal}]` : card.exitCode ? `\n[exit code ${card.exitCode}]` : ''
      return [text(`${headAndTail(card.output ?? '', MAX_CARD_TEXT_BYTES)}${end}`)]
    }
    case 'diff':
      return [text(`Changed: ${[...new Set(card.diffs.map(({ path }) => path))].join(', ')}`)]
    default:
      return isError ? [text('The server says that the call failed, and gives no reason.')] : []
  }
}
