import type { SessionEvent } from '../../session/events.js'

type TextEvent = Extract<SessionEvent, { type: 'assistant/message' | 'assistant/thought' | 'note' }>

/** The text that the thread ends in, as far as the next one depends on it. */
export interface LastText {
  readonly type: TextEvent['type']
  readonly messageId: string
  /** Its last two characters. */
  readonly end: string
}

/**
 * A text as it continues the thread. Clients join neighbouring messages and neighbouring thoughts, whatever their ids: a blank
 * line keeps a note apart from the answer around it, and a thought from the next, which would be one paragraph otherwise.
 */
export function continueText(
  last: LastText | undefined,
  event: TextEvent,
): { text: string; last: LastText | undefined } {
  const { type, messageId } = event
  if (event.text === '') return { text: '', last }
  const text = `${last !== undefined && isApart(last, event) ? toGap(last.end) : ''}${event.text}`
  const before = last?.messageId === messageId ? last.end : ''
  return { text, last: { type, messageId, end: (before + text).slice(-2) } }
}

function isApart(last: LastText, { type, messageId }: TextEvent): boolean {
  if (last.messageId === messageId) return false
  if (last.type === 'assistant/thought' || type === 'assistant/thought') return last.type === type
  return last.type === 'note' || type === 'note'
}

function toGap(end: string): string {
  if (end.endsWith('\n\n')) return ''
  return end.endsWith('\n') ? '\n' : '\n\n'
}
