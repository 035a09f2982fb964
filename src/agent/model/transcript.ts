import { type ContentBlock, headAndTail } from '../../cards/index.js'
import type { HistoryEntry } from '../../session/index.js'
import { toModelPrompt } from '../model-prompt.js'

const MAX_ARGUMENTS_BYTES = 1000
const MAX_RESULT_BYTES = 1500

/** A conversation as text to be summarised, bounded: long results and the middle are cut first. */
export function toTranscript(entries: readonly HistoryEntry[], maxBytes: number): string {
  return headAndTail(entries.flatMap(toLines).join('\n\n'), maxBytes)
}

function toLines(entry: HistoryEntry): string[] {
  switch (entry.role) {
    case 'user':
      return [`USER: ${toText(entry.content)}`]
    case 'assistant':
      return entry.parts.flatMap(part => {
        if (part.type === 'text') return [`ASSISTANT: ${part.text}`]
        if (part.type === 'thought') return []
        const args = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments)
        return [`ASSISTANT calls ${part.name}: ${headAndTail(args, MAX_ARGUMENTS_BYTES)}`]
      })
    case 'tool':
      return entry.results.map(
        ({ name, content, isError }) =>
          `RESULT of ${name}${isError ? ' (failed)' : ''}: ${headAndTail(toText(content), MAX_RESULT_BYTES)}`,
      )
  }
}

/** The words of a message; images and the like by a note. */
export function toText(content: readonly ContentBlock[]): string {
  return toModelPrompt(content, { images: false })
    .map(block => (block.type === 'text' ? block.text : ''))
    .join('\n')
}
