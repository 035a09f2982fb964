import type { Finding, TranscriptFrame, TranscriptLine } from '../../bridge/index.js'
import type { FoldedEntry } from '../fold/session-fold.js'
import type { EntryBody, Question, ViewEntry } from './entry.js'
import { EntryWindow } from './entry-window.js'
import { FrameLog } from './frame-log.js'
import { Summary } from './summary.js'
import { type ReadFrame, Traffic } from './traffic.js'

/** What is kept of a call that has been written. */
interface WrittenCall {
  anchor: string
  title: string
  status: string
}

const MAX_WRITTEN_CALLS = 50_000

/**
 * Makes a thread of a transcript: entries in the order in which an editor shows them, each with its messages and findings.
 * Entries change until they are written, which happens at the end or when too much is held.
 */
export class Conversation {
  readonly summary = new Summary()
  readonly #traffic = new Traffic()
  readonly #window: EntryWindow
  readonly #entries = new WeakMap<FoldedEntry | object, ViewEntry>()
  readonly #written = new Map<string, WrittenCall>()
  readonly #early = new Map<string, Question[]>()
  #last: ViewEntry | undefined
  #lastLine = 0
  readonly #sessions = new Set<string>()

  constructor(private readonly write: (entry: ViewEntry) => Promise<void>) {
    this.#window = new EntryWindow(entry => this.#close(entry))
  }

  async take(item: TranscriptLine): Promise<void> {
    this.summary.count(item)
    this.#lastLine = item.line
    if (item.type === 'broken') this.#attach(this.#add({ type: 'broken' }), item, 'broken line')
    else this.#takeFrame(item)
    await this.#window.shrink()
  }

  /** A question about a call that stands in no message; it is shown at its card. */
  ask(callId: string, question: Question): void {
    const known = this.#early.get(callId)
    if (known) known.push(question)
    else this.#early.set(callId, [question])
  }

  /** The transcript is over: writes what is left. `findings` are what the end leaves open. */
  async end(findings: readonly Finding[]): Promise<void> {
    if (findings.length > 0) {
      const entry = this.#add({ type: 'note', kind: 'end', text: 'The transcript ends', isError: false })
      entry.elsewhere.push(...findings.map(finding => ({ ...finding, line: this.#lastLine })))
      for (const finding of entry.elsewhere) this.summary.find({ ...finding, anchor: entry.anchor })
    }
    await this.#window.flush()
  }

  #takeFrame(frame: TranscriptFrame): void {
    const read = this.#traffic.read(frame)
    const entry = this.#entryOf(read)
    if (read.sessionId !== undefined) {
      entry.sessionId ??= read.sessionId
      if (this.#sessions.size < MAX_WRITTEN_CALLS) this.#sessions.add(read.sessionId)
      this.summary.sessionCount = this.#sessions.size
    }
    if (read.request && this.#window.has(entry)) this.#entries.set(read.request, entry)
    this.#attach(entry, frame, read.label)
  }

  #entryOf({ effect, sessionId = '', request }: ReadFrame): ViewEntry {
    const asked = request && this.#entries.get(request)
    switch (effect.type) {
      case 'fold': {
        const { entry: body } = effect.step
        const known = this.#entries.get(body)
        if (known) return known
        return this.#addFolded(body, sessionId)
      }
      case 'question': {
        const call = effect.callId === undefined ? undefined : this.#traffic.fold(sessionId).call(effect.callId)
        const entry = call
          ? (this.#entries.get(call) ?? this.#addFolded(call, sessionId))
          : this.#add({ type: 'question' })
        entry.questions.push(effect.question)
        return entry
      }
      case 'note': {
        const { note } = effect
        if (note.kind === 'title') this.summary.title = note.text.replace(/^Title: /, '')
        const last = this.#last?.body
        if (this.#last && last?.type === 'note' && last.kind === note.kind && note.kind !== 'turn') {
          this.#last.body = { type: 'note', ...note }
          return this.#last
        }
        return this.#add({ type: 'note', ...note })
      }
      case 'protocol': {
        if (asked && this.#window.has(asked)) return asked
        const last = this.#last?.body
        if (!this.#last || last?.type !== 'protocol') return this.#add({ type: 'protocol', text: effect.text })
        if (last.text.length < 300) last.text += `, ${effect.text}`
        return this.#last
      }
    }
  }

  #addFolded(body: FoldedEntry, sessionId: string): ViewEntry {
    const entry = this.#add(body)
    this.#entries.set(body, entry)
    if (body.type !== 'call') return entry
    const written = this.#written.get(`${sessionId} ${body.card.id}`)
    if (written && body.card.title === '') {
      entry.continues = written.anchor
      body.card.title = written.title
    }
    return entry
  }

  #add(body: EntryBody): ViewEntry {
    const anchor = this.#window.nextAnchor(body.type)
    const terminals = this.#traffic.terminals.byId
    const entry: ViewEntry = { anchor, body, frames: new FrameLog(), questions: [], elsewhere: [], terminals }
    this.#window.push(entry)
    this.#last = entry
    return entry
  }

  #attach(entry: ViewEntry, item: TranscriptLine, label: string): void {
    entry.frames.add(item, label)
    this.#window.grow(entry, item)
    for (const finding of item.findings) {
      this.summary.find({ ...finding, line: item.line, anchor: entry.anchor })
      const { sessionId = '', toolCallId } = finding
      if (toolCallId === undefined) continue
      const call = this.#traffic.fold(sessionId).call(toolCallId)
      const other = call && this.#entries.get(call)
      if (other && other !== entry) other.elsewhere.push({ ...finding, line: item.line })
    }
  }

  async #close(entry: ViewEntry): Promise<void> {
    const { body, sessionId = '' } = entry
    if (body.type === 'call') {
      const { id, title, status } = body.card
      const key = `${sessionId} ${id}`
      entry.questions.unshift(...(this.#early.get(id) ?? []))
      this.#early.delete(id)
      this.summary.countCall(status, entry.continues === undefined ? undefined : this.#written.get(key)?.status)
      this.#written.set(key, { anchor: entry.anchor, title: title.slice(0, 200), status })
      const [oldest] = this.#written.keys()
      if (this.#written.size > MAX_WRITTEN_CALLS && oldest !== undefined) this.#written.delete(oldest)
    }
    if (
      body.type === 'call' ||
      body.type === 'plan' ||
      body.type === 'user' ||
      body.type === 'message' ||
      body.type === 'thought'
    )
      this.#traffic.fold(sessionId).forget(body)
    await this.write(entry)
  }
}
