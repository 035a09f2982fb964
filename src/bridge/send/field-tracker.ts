import type { SessionUpdate, ToolCallStatus, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { isSameValue } from './same-value.js'

type ToolUpdate = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>

const FIELDS = ['title', 'kind', 'content', 'locations', 'rawInput'] as const

interface SentCall {
  status: ToolCallStatus
  fields: Partial<Record<(typeof FIELDS)[number], unknown>>
}

const ORDER: Record<ToolCallStatus, number> = { pending: 0, in_progress: 1, completed: 2, failed: 2 }

/**
 * Knows what the client was told of each call: fields that did not change are dropped, and what would break the sequence
 * (an unknown id, a second tool_call, anything after the final status) never goes out.
 */
export class FieldTracker {
  readonly #open = new Map<string, SentCall>()
  readonly #closed = new Set<string>()
  readonly #report: (problem: string) => void

  constructor(report: (problem: string) => void = () => {}) {
    this.#report = report
  }

  /** The update as it must go out; undefined if it says nothing new. Other updates than those of calls pass. */
  admit(update: SessionUpdate): SessionUpdate | undefined {
    if (update.sessionUpdate === 'tool_call') return this.#admitCall(update)
    return update.sessionUpdate === 'tool_call_update' ? this.#admitUpdate(update) : update
  }

  /** Takes note of fields that reached the client on another way: the call in a request of permission. */
  note(call: ToolCallUpdate): void {
    const sent = this.#open.get(call.toolCallId)
    if (sent) Object.assign(sent.fields, pickFields(call))
  }

  #admitCall(update: Extract<ToolUpdate, { sessionUpdate: 'tool_call' }>): SessionUpdate | undefined {
    const { toolCallId } = update
    if (this.#open.has(toolCallId) || this.#closed.has(toolCallId))
      return this.#refuse(toolCallId, 'a second tool_call')
    this.#open.set(toolCallId, { status: update.status ?? 'pending', fields: pickFields(update) })
    return update
  }

  #admitUpdate(update: Extract<ToolUpdate, { sessionUpdate: 'tool_call_update' }>): SessionUpdate | undefined {
    const { toolCallId } = update
    const sent = this.#open.get(toolCallId)
    if (!sent)
      return this.#refuse(toolCallId, this.#closed.has(toolCallId) ? 'an update after the end' : 'no tool_call')
    const asked = update.status ?? sent.status
    const status = ORDER[asked] < ORDER[sent.status] ? sent.status : asked
    const changed: ToolUpdate = { ...update, status }
    let isNews = status !== sent.status || update._meta !== undefined
    for (const field of FIELDS) {
      if (!(field in update)) continue
      if (isUnchanged(sent.fields[field], update[field])) delete changed[field]
      else {
        sent.fields[field] = update[field]
        isNews = true
      }
    }
    sent.status = status
    if (ORDER[status] === ORDER.completed) {
      this.#open.delete(toolCallId)
      this.#closed.add(toolCallId)
    }
    return isNews ? changed : undefined
  }

  #refuse(toolCallId: string, problem: string): undefined {
    this.#report(`${toolCallId}: ${problem} is not sent`)
    return undefined
  }
}

function pickFields(update: Partial<Record<(typeof FIELDS)[number], unknown>>): SentCall['fields'] {
  const fields: SentCall['fields'] = {}
  for (const field of FIELDS) if (update[field] !== undefined) fields[field] = update[field]
  return fields
}

// An empty list says nothing to a client that was never given one.
function isUnchanged(sent: unknown, next: unknown): boolean {
  if (next === undefined || next === null) return true
  return isSameValue(sent, next) || (sent === undefined && Array.isArray(next) && next.length === 0)
}
