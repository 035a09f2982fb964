import type { SessionEvent } from '../../session/index.js'
import type { DriverStep } from '../driver.js'

/** The steps that a driver took in one recorded turn, results left out. */
export interface RecordedTurn {
  steps: DriverStep[]
}

/** The turns of a log. A turn that a crash cut off counts as far as it came. */
export function toRecordedTurns(events: Iterable<SessionEvent>): RecordedTurn[] {
  const turns: RecordedTurn[] = []
  let steps: DriverStep[] = []
  let joins = false
  for (const event of events) {
    if (event.type === 'turn/start') {
      steps = []
      turns.push({ steps })
    } else addStep(steps, event, joins)
    // Calls of one step are announced before the first of them runs.
    if (event.type === 'tool/call') joins = true
    else if (event.type === 'tool/result') joins = false
  }
  return turns
}

function addStep(steps: DriverStep[], event: SessionEvent, joins: boolean): void {
  switch (event.type) {
    case 'assistant/message':
      steps.push({ type: 'text', messageId: event.messageId, text: event.text })
      break
    case 'assistant/thought':
      steps.push({ type: 'thought', messageId: event.messageId, text: event.text })
      break
    case 'tool/start':
      steps.push({ type: 'call-start', id: event.callId, name: event.name, arguments: event.arguments })
      break
    case 'tool/call': {
      const { callId: id, name, arguments: args, origin } = event
      const last = steps.at(-1)
      const call = { id, name, arguments: args, origin }
      if (joins && last?.type === 'calls') last.calls.push(call)
      else steps.push({ type: 'calls', calls: [call] })
      break
    }
  }
}
