import { type ContentBlock, text } from '../cards/index.js'
import type { SessionEvent } from './events.js'
import type { HistoryEntry, HistoryResult } from './history.js'

type Elision = Extract<SessionEvent, { type: 'elision' }>

/** The entries with a note in the place of each long result before call `before`; all of them if there is no such call. */
export function elideResults(entries: readonly HistoryEntry[], { before, maxChars }: Elision): HistoryEntry[] {
  const end = entries.findIndex(entry => entry.role === 'tool' && entry.results.some(({ callId }) => callId === before))
  return entries.map((entry, index) => {
    if (entry.role !== 'tool' || (end >= 0 && index >= end)) return entry
    return { ...entry, results: entry.results.map(result => elide(result, maxChars)) }
  })
}

function elide(result: HistoryResult, maxChars: number): HistoryResult {
  const chars = result.content.reduce((sum, block) => sum + contentChars(block), 0)
  if (chars <= maxChars) return result
  return { ...result, content: [text(`[This result was left out to save room: ${chars} characters.]`)] }
}

/** About how much of a model's window a block takes, in characters of text. */
export function contentChars(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return block.text.length
    case 'resource':
      return 'text' in block.resource ? block.resource.text.length : IMAGE_CHARS
    case 'image':
    case 'audio':
      return IMAGE_CHARS
    default:
      return 200
  }
}

/** Providers count an image by its area, not by its bytes: some 1,500 tokens. */
const IMAGE_CHARS = 6000
