import { text } from '../cards/index.js'
import type { SessionEvent } from './events.js'

/** The text of a call that a crash cut off; terminal cards show it as their last line. */
const INTERRUPTED_NOTE = '[interrupted]'

/** The result of a call that has none because the process ended while it was open. */
export function interruptedResult(callId: string): Extract<SessionEvent, { type: 'tool/result' }> {
  return {
    type: 'tool/result',
    callId,
    content: [text(INTERRUPTED_NOTE)],
    isError: true,
    error: { name: 'HarnessError', code: 'INTERRUPTED' },
  }
}

/**
 * Follows the calls and the turn of a session's events, in order. It finds what breaks the rule "introduced once, then
 * exactly one result, then nothing", and knows what is still open at the end.
 */
export class CallPairs {
  private readonly calls = new Map<string, 'started' | 'called' | 'done'>()
  private turnId: string | undefined

  /** Takes the next event. Returns why it must be skipped, or undefined if it stands (B46). */
  add(event: SessionEvent): string | undefined {
    if (event.type === 'turn/start') this.turnId = event.turnId
    else if (event.type === 'turn/end') this.turnId = undefined
    if (!('callId' in event)) return undefined
    const { callId, type } = event
    const state = this.calls.get(callId)
    if (state === 'done') return `${type} after the result of call ${callId}`
    if (type === 'tool/start' || type === 'tool/call') {
      if (state === 'called') return `${type} repeats call ${callId}`
      this.calls.set(callId, type === 'tool/call' ? 'called' : 'started')
      return undefined
    }
    if (!state) return `${type} without its call ${callId}`
    if (type === 'tool/result') this.calls.set(callId, 'done')
    return undefined
  }

  /** The events that close what is open: a result for each call in order, then the turn's end. Empty if all is closed. */
  closing(): SessionEvent[] {
    const events: SessionEvent[] = []
    for (const [callId, state] of this.calls) if (state !== 'done') events.push(interruptedResult(callId))
    if (this.turnId !== undefined) events.push({ type: 'turn/end', turnId: this.turnId, stopReason: 'cancelled' })
    return events
  }
}
