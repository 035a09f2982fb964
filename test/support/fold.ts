import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'

interface FoldedTerminal {
  cwd?: string
  data: string
  exit?: Record<string, unknown>
}

interface FoldedCall {
  type: 'call'
  id: string
  fields: Record<string, unknown>
  meta: Record<string, unknown>
  terminal?: FoldedTerminal
}

interface FoldedMessage {
  type: 'user' | 'message' | 'thought'
  id: string
  text: string
  blocks: unknown[]
}

/** What a client shows of a session, ids replaced by the order in which they first came. */
export interface FoldedSession {
  entries: (FoldedCall | FoldedMessage)[]
  plan?: unknown
  title?: string | null
}

export interface FoldOptions {
  /** False leaves the user's messages out: live, the client has them from its own prompt. */
  user?: boolean
}

const FIELDS = ['title', 'kind', 'status', 'content', 'locations', 'rawInput', 'rawOutput', 'name'] as const
const CHUNKS = { user_message_chunk: 'user', agent_message_chunk: 'message', agent_thought_chunk: 'thought' } as const

/**
 * Folds updates as a client does that takes the protocol literally: a field that is there replaces, null and absence leave as it
 * was, terminal output is appended. Throws on what leaves an error in an editor: an update for a call it does not know.
 */
export function foldUpdates(updates: readonly SessionUpdate[], { user = true }: FoldOptions = {}): FoldedSession {
  const folded: FoldedSession = { entries: [] }
  const calls = new Map<string, FoldedCall>()
  const messages = new Map<string, FoldedMessage>()
  for (const update of JSON.parse(JSON.stringify(updates)) as SessionUpdate[]) {
    switch (update.sessionUpdate) {
      case 'plan':
        folded.plan = update.entries
        break
      case 'session_info_update':
        if (update.title !== undefined) folded.title = update.title
        break
      case 'tool_call': {
        if (calls.has(update.toolCallId)) throw new Error(`a second tool_call ${update.toolCallId}`)
        // The protocol's defaults for what a tool_call leaves out.
        const fields = { content: [], locations: [] }
        const call: FoldedCall = { type: 'call', id: `call-${calls.size + 1}`, fields, meta: {} }
        calls.set(update.toolCallId, call)
        folded.entries.push(call)
        applyFields(call, update)
        break
      }
      case 'tool_call_update': {
        const call = calls.get(update.toolCallId)
        if (!call) throw new Error(`an update for the unknown call ${update.toolCallId}`)
        applyFields(call, update)
        break
      }
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk': {
        const type = CHUNKS[update.sessionUpdate]
        if (type === 'user' && !user) break
        const key = `${type} ${update.messageId}`
        const message = messages.get(key) ?? { type, id: `message-${messages.size + 1}`, text: '', blocks: [] }
        if (!messages.has(key)) folded.entries.push(message)
        messages.set(key, message)
        if (update.content.type === 'text') message.text += update.content.text
        else message.blocks.push(update.content)
        break
      }
      default:
        break
    }
  }
  return folded
}

function applyFields(call: FoldedCall, update: Extract<SessionUpdate, { toolCallId: string }>): void {
  for (const field of FIELDS) {
    const value = update[field]
    if (value === undefined || value === null) continue
    call.fields[field] = field === 'content' ? (value as ToolCallContent[]).map(item => withoutId(call, item)) : value
  }
  for (const [key, value] of Object.entries(update._meta ?? {})) {
    const { terminal_id: _id, ...rest } = value as { terminal_id?: string; cwd?: string; data?: string }
    if (key === 'terminal_info') call.terminal = { ...rest, data: '' }
    else if (key === 'terminal_output' || key === 'terminal_output_delta') {
      if (!call.terminal || call.terminal.exit) throw new Error(`${key} for a terminal that is not there`)
      call.terminal.data += rest.data
    } else if (key === 'terminal_exit') {
      if (!call.terminal || call.terminal.exit) throw new Error('terminal_exit for a terminal that is not there')
      call.terminal.exit = rest
    } else call.meta[key] = value
  }
}

function withoutId(call: FoldedCall, item: ToolCallContent): unknown {
  return item.type === 'terminal' ? { ...item, terminalId: call.id } : item
}
