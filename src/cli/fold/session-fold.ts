import { type Fields, isFields, toItems, toText } from '../../bridge/index.js'
import { type ContentFields, toContentFields } from './card-content.js'
import { type ClientCard, foldCard, type ReportProblem } from './client-card.js'

export interface FoldedMessage {
  type: 'user' | 'message' | 'thought'
  text: string
  /** What is no text: images, resources, links. */
  blocks: ContentFields[]
}

export interface FoldedCall {
  type: 'call'
  card: ClientCard
}

export interface FoldedPlan {
  type: 'plan'
  entries: { content: string; status: string }[]
}

/** One thing that a client shows of a session. It changes in place. */
export type FoldedEntry = FoldedMessage | FoldedCall | FoldedPlan

/** The entry that an update concerned; `isNew` the first time. */
export interface FoldStep {
  entry: FoldedEntry
  isNew: boolean
}

const CHUNKS: ReadonlyMap<string, FoldedMessage['type']> = new Map([
  ['user_message_chunk', 'user'],
  ['agent_message_chunk', 'message'],
  ['agent_thought_chunk', 'thought'],
])

/** Longest text of one message that is kept. */
const MAX_TEXT_LENGTH = 8 * 1024 * 1024

/** Folds the updates of one session as a client does that takes the protocol literally. */
export class SessionFold {
  readonly #calls = new Map<string, FoldedCall>()
  readonly #cards = new Map<string, ClientCard>()
  readonly #messages = new Map<string, FoldedMessage>()
  #plan: FoldedPlan | undefined
  #last: FoldedEntry | undefined

  constructor(private readonly report: ReportProblem = () => {}) {}

  /** Undefined for an update that shows nothing in the thread. */
  apply(update: unknown): FoldStep | undefined {
    if (!isFields(update)) return undefined
    const step = this.#step(update)
    if (step) this.#last = step.entry
    return step
  }

  /** What the user typed, which a live session has from its own prompt. */
  prompt(blocks: unknown): FoldStep {
    const entry: FoldedMessage = { type: 'user', text: '', blocks: [] }
    for (const block of Array.isArray(blocks) ? blocks : []) addBlock(entry, block)
    this.#plan = undefined
    this.#last = entry
    return { entry, isNew: true }
  }

  /** The call with this id, if it has been shown. */
  call(id: string): FoldedCall | undefined {
    return this.#calls.get(id)
  }

  /** A client shows this entry no more: what comes for it begins a new one. */
  forget(entry: FoldedEntry): void {
    if (entry.type === 'call') {
      this.#calls.delete(entry.card.id)
      this.#cards.delete(entry.card.id)
    } else if (entry.type === 'plan') {
      if (this.#plan === entry) this.#plan = undefined
    } else {
      for (const [key, message] of this.#messages) if (message === entry) this.#messages.delete(key)
    }
    if (this.#last === entry) this.#last = undefined
  }

  #step(update: Fields): FoldStep | undefined {
    const kind = toText(update.sessionUpdate) ?? ''
    const chunk = CHUNKS.get(kind)
    if (chunk) return this.#chunk(chunk, update)
    if (kind === 'plan') return this.#setPlan(update)
    const card = foldCard(this.#cards, update, this.report)
    if (!card) return undefined
    const known = this.#calls.get(card.id)
    const entry = known ?? { type: 'call', card }
    this.#calls.set(card.id, entry)
    return { entry, isNew: !known }
  }

  // Chunks with one messageId belong together wherever they come; without one, those that follow each other.
  #chunk(type: FoldedMessage['type'], update: Fields): FoldStep {
    const id = toText(update.messageId)
    const key = `${type} ${id}`
    const known = id === undefined ? this.#last : this.#messages.get(key)
    const isSame = known?.type === type
    const entry: FoldedMessage = isSame ? known : { type, text: '', blocks: [] }
    if (id !== undefined) this.#messages.set(key, entry)
    addBlock(entry, update.content)
    if (type === 'user') this.#plan = undefined
    return { entry, isNew: !isSame }
  }

  #setPlan(update: Fields): FoldStep {
    const isNew = this.#plan === undefined
    const entry: FoldedPlan = this.#plan ?? { type: 'plan', entries: [] }
    this.#plan = entry
    // Extra fields stay as they came.
    entry.entries = toItems(update.entries).map(item => ({
      ...item,
      content: toText(item.content) ?? '',
      status: toText(item.status) ?? 'pending',
    }))
    return { entry, isNew }
  }
}

function addBlock(entry: FoldedMessage, value: unknown): void {
  const block = toContentFields(value) ?? { type: 'unknown', value }
  if (block.type !== 'text') entry.blocks.push(block)
  else if (entry.text.length < MAX_TEXT_LENGTH) entry.text += toText(block.text) ?? ''
}
