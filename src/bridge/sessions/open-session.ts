import { randomUUID } from 'node:crypto'
import { setImmediate as nextTask } from 'node:timers/promises'
import type { ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import { type Driver, type ModelSelector, runTurn, type TurnOutcome } from '../../agent/index.js'
import { type ContentBlock, hasErrorCode, oneLine } from '../../cards/index.js'
import type { SessionEvent, SessionLog, StopReason } from '../../session/index.js'
import { invalidParams, toRequestError } from '../wire/protocol-errors.js'
import type { Place, SessionFacts } from './session-facts.js'
import { SessionOptions } from './session-options.js'
import type { SessionView } from './session-view.js'

const MAX_TITLE_CHARS = 60
const MAX_WAITING_NOTES = 20

/** A line, or what is asked for it when it is due: undefined if it is not to be shown any more. */
type NoteLine = string | (() => string | undefined)

interface RunningTurn {
  readonly stop: AbortController
  readonly ended: Promise<unknown>
}

/** A session of this process: its log, its view at the client, and the one turn that may run. */
export class OpenSession {
  readonly id: string
  readonly options: SessionOptions
  #turn: RunningTurn | undefined
  #closed = false
  #isLoading = false
  /** The thread has the prompt of the turn that runs: lines may follow it. */
  #isTold = false
  #waitingNotes: readonly NoteLine[] = []

  constructor(
    private readonly ctx: Context,
    private readonly driver: Driver,
    private readonly log: SessionLog,
    private readonly facts: SessionFacts,
    private view: SessionView,
    private readonly report: (level: 'warn', ...parts: unknown[]) => void,
    /** Lines for the thread, at the first prompt that it gets here. */
    private notices: () => readonly string[] = () => [],
    selector?: ModelSelector,
  ) {
    this.id = log.header.id
    this.options = new SessionOptions({
      ctx,
      sessionId: this.id,
      facts,
      selector,
      view: () => this.view,
      isClosed: () => this.#closed,
      record: event => this.record(event),
      warn: (...parts) => report('warn', ...parts),
    })
  }

  get place(): Place {
    return this.facts.place
  }

  /** Logs an event and shows it. Rejects if it cannot be logged; it is then not shown. */
  async record(event: SessionEvent): Promise<void> {
    const logged = this.log.append(event)
    this.facts.apply(logged)
    await this.view.push(logged)
  }

  /** The call as a request of permission shows it, once its tool_call has been sent. */
  shownCall(callId: string): Promise<ToolCallUpdate | undefined> {
    return this.view.shownCall(callId)
  }

  /** A line for the thread that is no part of the conversation: at once in a turn, else with the next prompt. */
  note(line: NoteLine): void {
    if (!this.#isTold) this.#waitingNotes = [...this.#waitingNotes, line].slice(-MAX_WAITING_NOTES)
    else
      this.#recordNote(line).catch(error => this.report('warn', `session ${this.id}: a line was not recorded:`, error))
  }

  /** Ends the turn and shows what happens after `load` through the view it makes; no prompt is taken meanwhile. */
  async reload(load: () => Promise<SessionView>): Promise<void> {
    await this.settle()
    this.#isLoading = true
    try {
      this.view = await load()
    } finally {
      this.#isLoading = false
    }
  }

  /** Another cwd or other roots from now on; calls so far keep theirs. */
  async move(place: Place): Promise<void> {
    const { cwd, roots } = this.place
    if (place.cwd === cwd && place.roots.join('\0') === roots.join('\0')) return
    await this.record({ type: 'session/config', cwd: place.cwd, roots: [...place.roots] })
    this.ctx.get('mcp')?.move(this.id, place.roots)
  }

  /** Runs one prompt to its end. Rejects with a protocol error; a cancelled prompt never does. */
  async prompt(content: ContentBlock[], signal: AbortSignal): Promise<StopReason> {
    if (this.#closed) throw invalidParams(`The session ${this.id} is closed.`)
    if (this.#isLoading) throw invalidParams(`The session ${this.id} is being loaded.`)
    if (this.#turn) throw invalidParams('A prompt is already running in this session; cancel it or wait for its end.')
    const stop = new AbortController()
    // Set before anything is awaited: a cancel may stand right behind the prompt (B54).
    const run = this.#run(content, stop.signal)
    this.#turn = { stop, ended: run }
    const onAbort = () => stop.abort()
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const { stopReason, error } = await run
      // A driver's failure has been told in the thread; one of the log has not, and nothing ran.
      if (error) this.report('warn', `session ${this.id}: a turn failed:`, error, error.cause)
      if (error && !hasErrorCode(error, 'DRIVER_FAILED')) throw toRequestError(error)
      return stopReason
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#turn = undefined
      this.#isTold = false
    }
  }

  /** Asks the running turn to stop; nothing without one. */
  cancel(): void {
    this.#turn?.stop.abort()
  }

  /** Cancels the turn and waits until it has ended. */
  async settle(): Promise<void> {
    this.cancel()
    await this.#turn?.ended
  }

  /** Ends the turn, the session's processes and its log. Idempotent; never rejects. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.settle()
    await this.ctx.get('mcp')?.close(this.id)
    await this.ctx.launcher.release(this.id)
    this.ctx.jobs.forget(this.id)
    this.ctx.permissions.forget(this.id)
    this.ctx.files.forget(this.id)
    this.ctx.get('checkpoints')?.release(this.id)
    await this.log.close()
  }

  async #run(content: ContentBlock[], signal: AbortSignal): Promise<TurnOutcome> {
    // What came in one chunk with the prompt, a cancel above all, is dispatched before the first tool can run (B54).
    await nextTask()
    const { cwd, roots } = this.place
    const { history, model, thinkingLevel } = this.facts
    const outcome = await runTurn({
      tools: this.ctx.tools.forSession(this.id),
      driver: this.driver,
      agent: { sessionId: this.id, cwd, roots },
      prompt: content,
      turnId: `turn-${this.facts.turns + 1}`,
      history,
      settings: { ...(model ? { model } : {}), ...(thinkingLevel ? { thinkingLevel } : {}) },
      signal,
      emit: event => this.#emitInTurn(event),
      notify: text => this.view.notify(text),
      nextCallId: () => this.facts.nextCallId(this.id.slice(0, 8)),
    })
    await this.view.flush()
    // What was appended outlives the process; that it also outlives the machine is not waited for.
    this.log.sync().catch(() => {})
    return outcome
  }

  async #recordNote(line: NoteLine): Promise<void> {
    const text = typeof line === 'function' ? line() : line
    if (text === undefined) return
    // Clients join neighbouring messages, whatever their ids: the blank line keeps what follows apart.
    await this.record({ type: 'note', messageId: randomUUID(), text: `${text}\n\n` })
  }

  async #emitInTurn(event: SessionEvent): Promise<void> {
    await this.record(event)
    if (event.type !== 'user/message') return
    const { notices } = this
    this.notices = () => []
    const waiting = this.#waitingNotes
    this.#waitingNotes = []
    this.#isTold = true
    for (const line of [...notices(), ...waiting]) await this.#recordNote(line)
    if (this.facts.title !== undefined) return
    const title = toTitle(event.content)
    if (title) await this.record({ type: 'session/config', title })
  }
}

function toTitle(content: readonly ContentBlock[]): string {
  const first = content.find(block => block.type === 'text' && block.text.trim() !== '')
  return first?.type === 'text' ? oneLine(first.text.trim(), MAX_TITLE_CHARS) : ''
}
