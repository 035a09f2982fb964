import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { CardContent } from '../../src/cli/fold/card-content.js'
import type { ClientCard } from '../../src/cli/fold/client-card.js'
import { type FoldedEntry, SessionFold } from '../../src/cli/fold/session-fold.js'

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

/** Folds updates as a client does. Throws on what leaves an error in an editor: an update for a call it does not know. */
export function foldUpdates(updates: readonly SessionUpdate[], { user = true }: FoldOptions = {}): FoldedSession {
  const fold = new SessionFold(problem => {
    throw new Error(problem)
  })
  const folded: FoldedSession = { entries: [] }
  const shown: FoldedEntry[] = []
  for (const update of JSON.parse(JSON.stringify(updates)) as SessionUpdate[]) {
    if (update.sessionUpdate === 'session_info_update' && update.title !== undefined) folded.title = update.title
    const step = fold.apply(update)
    if (step?.isNew) shown.push(step.entry)
    if (step?.entry.type === 'plan') folded.plan = step.entry.entries
  }
  const count = { call: 0, message: 0 }
  for (const entry of shown) {
    if (entry.type === 'plan' || (entry.type === 'user' && !user)) continue
    if (entry.type === 'call') folded.entries.push(toCall(`call-${++count.call}`, entry.card))
    else folded.entries.push({ ...entry, id: `message-${++count.message}` })
  }
  return folded
}

function toCall(
  id: string,
  { id: _id, content, terminal, meta, hunkLines: _lines, ...fields }: ClientCard,
): FoldedCall {
  return {
    type: 'call',
    id,
    fields: { ...fields, content: content.map(item => withoutId(id, item)) },
    meta,
    ...(terminal ? { terminal: toTerminal(terminal) } : {}),
  }
}

function toTerminal({ output, ...rest }: NonNullable<ClientCard['terminal']>): FoldedTerminal {
  return { ...rest, data: output }
}

function withoutId(id: string, item: CardContent): unknown {
  return item.type === 'terminal' ? { ...item, terminalId: id } : item
}
