import { checkFields } from './check-content.js'
import { type Fields, type Finding, toItems, toText } from './check-frame.js'

type Found = Pick<Finding, 'rule' | 'text'>

/** Ids of closed calls that are remembered; a session that made more forgets the oldest. */
const MAX_CLOSED = 50_000

interface OpenCall {
  status: string
  hasContent: boolean
  hasDiff: boolean
  hasTerminal: boolean
  /** Questions to the user that wait for an answer. */
  asking: number
}

const ORDER: Record<string, number> = { pending: 0, in_progress: 1, completed: 2, failed: 2 }

/** The rules on the calls of one session: ids, status, content, questions. */
export class CallChecks {
  readonly #open = new Map<string, OpenCall>()
  readonly #closed = new Set<string>()

  call(update: Fields): Found[] {
    const id = toText(update.toolCallId) ?? ''
    const found = checkFields(update)
    if (this.#open.has(id)) found.push({ rule: 1, text: 'a second tool_call' })
    else if (this.#closed.has(id)) found.push({ rule: 2, text: 'a tool_call with the id of an earlier call' })
    const call = { status: 'pending', hasContent: false, hasDiff: false, hasTerminal: false, asking: 0 }
    this.#advance(id, call, update)
    return found
  }

  update(update: Fields): Found[] {
    const id = toText(update.toolCallId) ?? ''
    const found = checkFields(update)
    const call = this.#open.get(id)
    const status = toText(update.status)
    if (status === undefined) found.push({ rule: 5, text: 'an update without status' })
    if (!call) {
      const isClosed = this.#closed.has(id)
      found.push(isClosed ? { rule: 3, text: 'an update after the final status' } : { rule: 1, text: 'no tool_call' })
      return found
    }
    if (status !== undefined && (ORDER[status] ?? 0) < (ORDER[call.status] ?? 0))
      found.push({ rule: 3, text: `status goes back from ${call.status} to ${status}` })
    if (status === 'in_progress' && call.asking > 0)
      found.push({ rule: 4, text: 'in_progress while the user is being asked' })
    if (!isFinal(status ?? call.status)) checkLoss(call, update, found)
    this.#advance(id, call, update)
    return found
  }

  /** The call of session/request_permission, until {@link answered}. */
  asked(toolCall: Fields): Found[] {
    const id = toText(toolCall.toolCallId) ?? ''
    const found = checkFields(toolCall)
    const call = this.#open.get(id)
    if (!call) {
      const text = 'a request of permission for a call that is not open'
      return [...found, { rule: this.#closed.has(id) ? 3 : 1, text }]
    }
    if (call.status !== 'pending') found.push({ rule: 4, text: `asked when the call was ${call.status}` })
    const content = Array.isArray(toolCall.content) ? toItems(toolCall.content) : undefined
    if (content && call.hasDiff && !content.some(item => item.type === 'diff'))
      found.push({ rule: 6, text: 'the content of a request of permission wipes the diff' })
    call.asking++
    return found
  }

  answered(toolCallId: string): void {
    const call = this.#open.get(toolCallId)
    if (call) call.asking--
  }

  /** Ids of the calls without a final status; they count as closed from now on. */
  takeOpen(): string[] {
    const ids = [...this.#open.keys()]
    for (const id of ids) this.#close(id)
    return ids
  }

  #advance(id: string, call: OpenCall, update: Fields): void {
    call.status = toText(update.status) ?? call.status
    if (Array.isArray(update.content)) {
      const items = toItems(update.content)
      call.hasContent = items.length > 0
      call.hasDiff = items.some(item => item.type === 'diff')
      call.hasTerminal = items.some(item => item.type === 'terminal')
    }
    if (isFinal(call.status)) this.#close(id)
    else this.#open.set(id, call)
  }

  #close(id: string): void {
    this.#open.delete(id)
    this.#closed.add(id)
    if (this.#closed.size <= MAX_CLOSED) return
    const [oldest] = this.#closed
    if (oldest !== undefined) this.#closed.delete(oldest)
  }
}

// content replaces the whole list: a message with nothing to say leaves it out (B20).
function checkLoss(call: OpenCall, update: Fields, found: Found[]): void {
  if (!Array.isArray(update.content)) return
  const items = toItems(update.content)
  if (call.hasContent && items.length === 0) found.push({ rule: 6, text: 'empty content wipes the card' })
  else if (call.hasTerminal && !items.some(item => item.type === 'terminal'))
    found.push({ rule: 6, text: 'content without the terminal wipes it while the call runs' })
}

function isFinal(status: string): boolean {
  return status === 'completed' || status === 'failed'
}
