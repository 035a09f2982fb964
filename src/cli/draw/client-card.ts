import type { SessionUpdate } from '../../bridge/index.js'

type ToolCallUpdate = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>
type CallContent = NonNullable<ToolCallUpdate['content']>[number]

/** A tool call as a client holds it: fields replaced by what the updates carry, terminal bytes appended. */
export interface ClientCard {
  id: string
  title: string
  kind: string
  status: string
  content: CallContent[]
  locations: { path: string; line?: number | null }[]
  /** 1-based first changed line of each diff block. */
  hunkLines: number[]
  terminal?: { cwd?: string; output: string; exit?: { exit_code?: number; signal?: string } }
}

/** Folds one update into the cards of a session; returns the card it concerns, or undefined for other updates. */
export function foldCard(cards: Map<string, ClientCard>, update: SessionUpdate): ClientCard | undefined {
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return undefined
  const card = cards.get(update.toolCallId) ?? {
    id: update.toolCallId,
    title: '',
    kind: 'other',
    status: 'pending',
    content: [],
    locations: [],
    hunkLines: [],
  }
  cards.set(update.toolCallId, card)
  if (update.title) card.title = update.title
  if (update.kind) card.kind = update.kind
  if (update.status) card.status = update.status
  if (update.content) card.content = update.content
  if (update.locations) card.locations = update.locations
  foldMeta(card, update._meta ?? {})
  return card
}

function foldMeta(card: ClientCard, meta: Record<string, unknown>): void {
  const info = meta.terminal_info as { cwd?: string } | undefined
  const output = meta.terminal_output as { data?: string } | undefined
  const exit = meta.terminal_exit as { exit_code?: number; signal?: string } | undefined
  const hunks = (meta.deckhand as { hunks?: number[] } | undefined)?.hunks
  if (info) card.terminal = { output: '', ...card.terminal, ...(info.cwd ? { cwd: info.cwd } : {}) }
  if (output) card.terminal = { ...card.terminal, output: (card.terminal?.output ?? '') + (output.data ?? '') }
  if (exit) card.terminal = { output: '', ...card.terminal, exit }
  if (hunks) card.hunkLines = hunks
}
