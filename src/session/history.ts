import { type ContentBlock, type JsonValue, text } from '../cards/index.js'
import { interruptedResult } from './call-pairs.js'
import { elideResults } from './elide-results.js'
import type { SessionEvent } from './events.js'

/**
 * What a model is told of a session, for any provider. An assistant entry with calls is followed at once by one tool entry
 * with exactly one result for each of them, in their order (B51). Two user entries may follow each other.
 */
export type HistoryEntry =
  | { role: 'user'; content: ContentBlock[] }
  | { role: 'assistant'; parts: AssistantPart[] }
  | { role: 'tool'; results: HistoryResult[] }

export type AssistantPart =
  | { type: 'text'; messageId: string; text: string }
  /** Without `meta` it was cut off, and no model gets it back. */
  | { type: 'thought'; messageId: string; text: string; meta?: JsonValue }
  | {
      type: 'call'
      callId: string
      name: string
      arguments: JsonValue
      modelCallId?: string
      meta?: JsonValue
    }

export interface HistoryResult {
  callId: string
  name: string
  content: ContentBlock[]
  isError: boolean
}

type CallEvent = Extract<SessionEvent, { type: 'tool/call' }>
type ResultEvent = Extract<SessionEvent, { type: 'tool/result' }>
type CompactionEvent = Extract<SessionEvent, { type: 'compaction' }>
type TextEvent = Extract<SessionEvent, { type: 'assistant/message' | 'assistant/thought' }>

const maxUserCallChars = 16 * 1024

/** The history of these events. */
export function toHistory(events: Iterable<SessionEvent>): HistoryEntry[] {
  const history = new History()
  for (const event of events) history.add(event)
  return history.entries()
}

/** A history that grows by one event at a time. */
export class History {
  /** Changes when entries that were settled are no longer there as they were: after a compaction or an elision. */
  generation = 0
  /** Tokens of the last request and its answer; undefined before one, and after the history has become shorter. */
  used: number | undefined
  /** US dollars of the session so far. */
  cost: number | undefined
  /** Index of the user's last message among the settled entries. */
  promptAt = 0
  private done: HistoryEntry[] = []
  /** The assistant's entry that is being written, its calls and those of the user that have no result yet. */
  private parts: AssistantPart[] = []
  private open = new Map<string, CallEvent>()
  private results = new Map<string, HistoryResult>()
  private readonly seen = new Set<string>()

  /** Takes the next event, in constant time. */
  add(event: SessionEvent): void {
    switch (event.type) {
      case 'user/message':
      case 'context':
        this.settle()
        if (event.type === 'user/message') this.promptAt = this.done.length
        this.done.push({ role: 'user', content: event.content })
        break
      case 'assistant/message':
      case 'assistant/thought':
        this.addText(event)
        break
      case 'tool/call':
        this.addCall(event)
        break
      case 'tool/result':
        this.addResult(event)
        break
      case 'turn/end':
        this.settle()
        break
      case 'usage':
        this.used = event.used
        this.cost = event.cost ?? this.cost
        break
      case 'compaction':
        this.compact(event)
        break
      case 'elision':
        this.settle()
        this.done = elideResults(this.done, event)
        this.shorten()
        break
    }
  }

  /** Entries that only grow at their end while `generation` is the same; not to be changed. */
  get settled(): readonly HistoryEntry[] {
    return this.done
  }

  /** The step that is being written, with a result for each of its calls. */
  current(): HistoryEntry[] {
    return this.pending()
  }

  /** The entries so far, a list of its own. A call without a result has an interrupted one here. */
  entries(): HistoryEntry[] {
    return [...this.done, ...this.pending()]
  }

  private addText(event: TextEvent): void {
    const { messageId } = event
    const meta = event.type === 'assistant/thought' && event.meta !== undefined ? { meta: event.meta } : {}
    if (event.text === '' && !('meta' in meta)) return
    const type = event.type === 'assistant/message' ? 'text' : 'thought'
    if (this.open.size === 0 && this.results.size > 0) this.settle()
    const last = this.parts.at(-1)
    if (last?.type === type && last.messageId === messageId) Object.assign(last, { text: last.text + event.text }, meta)
    else this.parts.push({ type, messageId, text: event.text, ...meta })
  }

  private addCall(event: CallEvent): void {
    if (this.seen.has(event.callId)) return
    this.seen.add(event.callId)
    // A call after the results of others is a new step, unless some of those still run.
    if (this.open.size === 0 && this.results.size > 0) this.settle()
    this.open.set(event.callId, event)
    if (event.origin === 'user') return
    const { callId, name, modelCallId, meta } = event
    this.parts.push({
      type: 'call',
      callId,
      name,
      arguments: event.arguments,
      ...(modelCallId === undefined ? {} : { modelCallId }),
      ...(meta === undefined ? {} : { meta }),
    })
  }

  private addResult(event: ResultEvent): void {
    const call = this.open.get(event.callId)
    if (!call) return
    this.open.delete(event.callId)
    if (call.origin === 'model') this.results.set(event.callId, toResult(call, event))
    else {
      if (this.open.size === 0) this.settle()
      this.done.push(toUserEntry(call, event))
    }
  }

  private compact({ summary, keepsPrompt }: CompactionEvent): void {
    this.settle()
    const kept = keepsPrompt ? this.done.slice(this.promptAt) : []
    this.done = [{ role: 'user', content: [text(`Summary of the conversation so far:\n\n${summary}`)] }, ...kept]
    this.promptAt = 1
    this.shorten()
  }

  private shorten(): void {
    this.generation++
    this.used = undefined
  }

  /** Ends the step: what has no result by now never gets one that counts. */
  private settle(): void {
    this.done.push(...this.pending())
    this.parts = []
    this.open = new Map()
    this.results = new Map()
  }

  private pending(): HistoryEntry[] {
    const entries: HistoryEntry[] =
      this.parts.length > 0 ? [{ role: 'assistant', parts: this.parts.map(part => ({ ...part })) }] : []
    const results = this.parts.flatMap(part => {
      if (part.type !== 'call') return []
      const call = this.open.get(part.callId)
      const result = call ? toResult(call, interruptedResult(part.callId)) : this.results.get(part.callId)
      return result ? [result] : []
    })
    if (results.length > 0) entries.push({ role: 'tool', results })
    for (const call of this.open.values()) {
      if (call.origin === 'user') entries.push(toUserEntry(call, interruptedResult(call.callId)))
    }
    return entries
  }
}

function toResult(call: CallEvent, result: ResultEvent): HistoryResult {
  return { callId: call.callId, name: call.name, content: result.content, isError: result.isError }
}

/** A call the user ran by hand, as something the user says. */
function toUserEntry(call: CallEvent, result: ResultEvent): HistoryEntry {
  const input = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
  const output = result.content.map(block => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
  const outcome = result.isError ? 'It failed' : 'It succeeded'
  const said = `I ran the tool ${call.name} with ${bounded(input)}\n${outcome}, with this result:\n${bounded(output)}`
  return { role: 'user', content: [text(said)] }
}

/** Head and tail of a long text, with the count of what is left out. */
function bounded(value: string): string {
  if (value.length <= maxUserCallChars) return value
  const half = maxUserCallChars / 2
  const head = value.slice(0, half).replace(/[\uD800-\uDBFF]$/, '')
  const tail = value.slice(-half).replace(/^[\uDC00-\uDFFF]/, '')
  return `${head}\n[${value.length - head.length - tail.length} characters left out]\n${tail}`
}
