import { type Fields, isFields, toItems, toText } from '../../bridge/index.js'
import { type CardContent, toCardContent } from './card-content.js'
import { type ClientTerminal, foldTerminalFields } from './client-terminal.js'

/** A tool call as a client holds it: fields replaced by what the updates carry, terminal bytes appended. */
export interface ClientCard {
  id: string
  title: string
  kind: string
  status: string
  content: CardContent[]
  locations: CardLocation[]
  /** 1-based first changed line of each diff block. */
  hunkLines: number[]
  name?: string
  rawInput?: unknown
  rawOutput?: unknown
  /** What else stood in `_meta`. */
  meta: Fields
  terminal?: ClientTerminal
}

export interface CardLocation {
  path: string
  line?: number
}

/** Told of what leaves an error in an editor: a second `tool_call`, an update for a call it does not know. */
export type ReportProblem = (problem: string) => void

const TEXT_FIELDS = ['title', 'kind', 'status', 'name'] as const
const TERMINAL_KEYS = new Set(['terminal_info', 'terminal_output', 'terminal_output_delta', 'terminal_exit'])

/**
 * Folds one update of any agent into the cards of a session; returns the card it concerns, or undefined for other updates.
 * A field that is there replaces, null and absence leave as it was; what has the wrong shape is passed over.
 */
export function foldCard(
  cards: Map<string, ClientCard>,
  update: unknown,
  report: ReportProblem = () => {},
): ClientCard | undefined {
  if (!isFields(update)) return undefined
  const isCall = update.sessionUpdate === 'tool_call'
  if (!isCall && update.sessionUpdate !== 'tool_call_update') return undefined
  const id = toText(update.toolCallId) ?? ''
  const known = cards.get(id)
  if (isCall && known) report(`a second tool_call ${id}`)
  if (!isCall && !known) report(`an update for the unknown call ${id}`)
  const card = known ?? newCard(id)
  cards.set(id, card)
  foldFields(card, update, report)
  return card
}

function newCard(id: string): ClientCard {
  return { id, title: '', kind: 'other', status: 'pending', content: [], locations: [], hunkLines: [], meta: {} }
}

function foldFields(card: ClientCard, update: Fields, report: ReportProblem): void {
  for (const field of TEXT_FIELDS) {
    const value = toText(update[field])
    if (value) card[field] = value
  }
  if (Array.isArray(update.content)) card.content = update.content.map(toCardContent)
  if (Array.isArray(update.locations)) card.locations = toItems(update.locations).flatMap(toLocation)
  if (update.rawInput !== undefined && update.rawInput !== null) card.rawInput = update.rawInput
  if (update.rawOutput !== undefined && update.rawOutput !== null) card.rawOutput = update.rawOutput
  const meta = isFields(update._meta) ? update._meta : {}
  for (const [key, value] of Object.entries(meta)) if (!TERMINAL_KEYS.has(key)) card.meta[key] = value
  const terminal = foldTerminalFields(card.terminal, meta, report)
  if (terminal) card.terminal = terminal
  const hunks = isFields(meta.deckhand) ? meta.deckhand.hunks : undefined
  if (Array.isArray(hunks)) card.hunkLines = hunks.map(Number)
}

function toLocation({ path, line }: Fields): CardLocation[] {
  if (typeof path !== 'string') return []
  return [{ path, ...(typeof line === 'number' ? { line } : {}) }]
}
