import { fence, headAndTail, type ToolCallView, type ToolResultView, text } from '../../cards/index.js'
import type { ToolResult } from '../../registry/index.js'
import { firstLine, type ReadArgs } from './range.js'

/** What a person looks at in a card; the model gets all that was read. */
const MAX_CARD_BYTES = 32 * 1024

/** The card of a call: the file and the lines asked for. */
export function presentReadCall(args: ReadArgs): ToolCallView | undefined {
  const { path } = args
  if (!path) return undefined
  const line = Math.max(1, firstLine(args))
  return {
    card: 'generic',
    kind: 'read',
    title: `Read ${path}${describeRange(args, line)}`,
    locations: [{ path, line }],
  }
}

/** The card of a result: text as a code block, since its lines are no Markdown; images as they are. */
export function presentReadResult(_args: ReadArgs, result: ToolResult): ToolResultView | undefined {
  const [block, ...others] = result.content
  if (result.isError || block?.type !== 'text' || others.length > 0) return undefined
  return { card: 'generic', content: [text(fence(headAndTail(block.text, MAX_CARD_BYTES)))] }
}

// Set off by a blank: a path is found in a title up to a segment's end.
function describeRange({ offset, limit }: ReadArgs, line: number): string {
  if (limit !== undefined && limit > 0) return limit === 1 ? ` (line ${line})` : ` (lines ${line}-${line + limit - 1})`
  return offset === undefined || offset <= 1 ? '' : ` (from line ${line})`
}
