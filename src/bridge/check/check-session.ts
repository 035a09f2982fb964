import { CallChecks } from './check-calls.js'
import { checkMedia } from './check-content.js'
import { type Fields, type Finding, toText } from './check-frame.js'

type Found = Pick<Finding, 'rule' | 'text'> & { toolCallId?: string }

/** Updates that belong to a turn, or to a replay. */
const TURN_UPDATES = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
])

/** The rules on the updates of one session: what may come when. */
export class SessionChecks {
  /** The client got this session in an answer. */
  isGiven = false
  #calls = new CallChecks()
  #prompts = 0
  #loads = 0

  update(update: Fields): Found[] {
    const kind = toText(update.sessionUpdate) ?? ''
    const found: Found[] = []
    if (TURN_UPDATES.has(kind) && this.#prompts === 0 && this.#loads === 0)
      found.push({ rule: 7, text: `${kind} when neither a prompt nor a load is running` })
    if (kind === 'available_commands_update' && this.#loads > 0)
      found.push({ rule: 7, text: 'commands before the response to session/load' })
    if (kind === 'user_message_chunk' && this.#prompts > 0 && this.#loads === 0)
      found.push({ rule: 11, text: 'live user text is sent back' })
    if (kind.endsWith('_message_chunk') || kind === 'agent_thought_chunk') checkMedia(update.content, found)
    if (kind === 'tool_call') found.push(...named(update, this.#calls.call(update)))
    if (kind === 'tool_call_update') found.push(...named(update, this.#calls.update(update)))
    return found
  }

  asked(toolCall: Fields): Found[] {
    return named(toolCall, this.#calls.asked(toolCall))
  }

  answered(toolCallId: string): void {
    this.#calls.answered(toolCallId)
  }

  promptStarted(): void {
    this.#prompts++
  }

  promptAnswered(): Found[] {
    this.#prompts = Math.max(0, this.#prompts - 1)
    const found = this.#checkClosed()
    if (this.#prompts === 0 && this.#loads > 0) this.#calls = new CallChecks()
    return found
  }

  /** A replay shows all calls again, from the first; a turn that still runs ends before it. */
  loadStarted(): void {
    this.#loads++
    if (this.#prompts === 0) this.#calls = new CallChecks()
  }

  loadAnswered(): Found[] {
    this.#loads = Math.max(0, this.#loads - 1)
    return this.#checkClosed()
  }

  // While a turn or a replay goes on, its calls may be open.
  #checkClosed(): Found[] {
    if (this.#prompts > 0 || this.#loads > 0) return []
    return this.#calls.takeOpen().map(toolCallId => ({ rule: 3, text: 'a call without a final status', toolCallId }))
  }
}

function named({ toolCallId }: Fields, found: Found[]): Found[] {
  return typeof toolCallId === 'string' ? found.map(one => ({ ...one, toolCallId })) : found
}
