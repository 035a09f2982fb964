import { randomUUID } from 'node:crypto'
import { setImmediate as nextTask } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { SessionConfigOption, SessionModeState, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import { type Driver, type ModelOffer, type ModelSelector, runTurn, type TurnOutcome } from '../../agent/index.js'
import { type ContentBlock, hasErrorCode, oneLine } from '../../cards/index.js'
import type { Mode } from '../../gates/permission/index.js'
import type { SessionEvent, SessionLog, StopReason } from '../../session/index.js'
import { invalidParams, toRequestError } from '../wire/protocol-errors.js'
import { type ChosenOptions, fromConfigOption, toConfigOptions } from './config-options.js'
import { fromModeId, toModeState } from './modes.js'
import type { Place, SessionFacts } from './session-facts.js'
import type { SessionView } from './session-view.js'

const MAX_TITLE_CHARS = 60
const MAX_WAITING_NOTES = 20

/** What a client is told of a session's settings when it gets the session. */
export interface SessionSettings {
  modes: SessionModeState
  configOptions: SessionConfigOption[]
}

interface RunningTurn {
  readonly stop: AbortController
  readonly ended: Promise<unknown>
}

/** A session of this process: its log, its view at the client, and the one turn that may run. */
export class OpenSession {
  readonly id: string
  #turn: RunningTurn | undefined
  #closed = false
  #isLoading = false
  #chosenBy: SessionUpdate['sessionUpdate'] | undefined
  #modeRecorded: Promise<void> = Promise.resolve()
  /** The thread has the prompt of the turn that runs: lines may follow it. */
  #isTold = false
  #waitingNotes: readonly string[] = []
  #offer: ModelOffer | undefined

  constructor(
    private readonly ctx: Context,
    private readonly driver: Driver,
    private readonly log: SessionLog,
    private readonly facts: SessionFacts,
    private view: SessionView,
    private readonly report: (level: 'warn', ...parts: unknown[]) => void,
    /** Lines for the thread, at the first prompt that it gets here. */
    private notices: () => readonly string[] = () => [],
    private readonly selector?: ModelSelector,
  ) {
    this.id = log.header.id
  }

  get place(): Place {
    return this.facts.place
  }

  /** What the client is told of the session's settings. */
  get settings(): SessionSettings {
    const chosen = this.#chosen()
    return { modes: toModeState(chosen.mode), configOptions: toConfigOptions(chosen) }
  }

  /** Takes over what the selector offers; nothing is asked of any endpoint. */
  async learnModels(): Promise<void> {
    this.#offer = await this.selector?.offer(this.facts.model, false)
  }

  /** Asks the endpoints for their models, and tells the client if that changes its options. */
  async askForModels(): Promise<void> {
    const offer = await this.selector?.offer(this.facts.model, true)
    if (this.#closed || isDeepStrictEqual(offer, this.#offer)) return
    this.#offer = offer
    this.#sendOptions()
  }

  /** Other models may be there than before: tells of those that are known at once, then of those that the endpoints list. */
  async modelsChanged(): Promise<void> {
    if (!this.#offer) {
      await this.learnModels()
      if (this.#offer && !this.#closed) this.#sendOptions()
    }
    await this.askForModels()
  }

  /** The client has set an option; the answer holds all options as they are now. */
  async setOption(configId: string, value: unknown): Promise<SessionConfigOption[]> {
    const choice = fromConfigOption({ configId, value }, this.#chosen())
    if (typeof choice === 'string') await this.setMode(choice, 'config_option_update')
    else {
      await this.record(choice)
      if (choice.model !== undefined) {
        const models = this.#offer?.models
        await this.learnModels()
        if (this.#offer && models) this.#offer = { ...this.#offer, models }
      }
    }
    return this.settings.configOptions
  }

  /** The client has chosen a mode, in one of its two faces: it is told of the other. -32602 for one that is none. */
  async setMode(modeId: string, chosenBy: SessionUpdate['sessionUpdate']): Promise<void> {
    const mode = fromModeId(modeId)
    this.#chosenBy = chosenBy
    try {
      this.ctx.permissions.setMode(this.id, mode)
    } finally {
      this.#chosenBy = undefined
    }
    await this.#modeRecorded
  }

  /** Records the mode that is in force from now on, and tells the client. */
  modeChanged(mode: Mode): void {
    const chosenBy = this.#chosenBy
    const view = this.view
    this.#modeRecorded = this.record({ type: 'session/config', mode })
      .catch(error => this.report('warn', `session ${this.id}: the mode could not be recorded:`, error))
      .then(() => {
        const { configOptions } = this.settings
        const updates: SessionUpdate[] = [
          { sessionUpdate: 'current_mode_update', currentModeId: mode },
          { sessionUpdate: 'config_option_update', configOptions },
        ]
        for (const update of updates) if (update.sessionUpdate !== chosenBy) view.send(update)
      })
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
  note(text: string): void {
    if (!this.#isTold) this.#waitingNotes = [...this.#waitingNotes, text].slice(-MAX_WAITING_NOTES)
    else this.#recordNote(text).catch(error => this.report('warn', `session ${this.id}: not recorded: ${text}`, error))
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
    await this.log.sync().catch(() => {})
    return outcome
  }

  #sendOptions(): void {
    this.view.send({ sessionUpdate: 'config_option_update', configOptions: this.settings.configOptions })
  }

  #chosen(): ChosenOptions {
    const { thinkingLevel } = this.facts
    return {
      mode: this.ctx.permissions.mode(this.id),
      ...(this.#offer ? { offer: this.#offer } : {}),
      ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    }
  }

  #recordNote(text: string): Promise<void> {
    return this.record({ type: 'note', messageId: randomUUID(), text })
  }

  async #emitInTurn(event: SessionEvent): Promise<void> {
    await this.record(event)
    if (event.type !== 'user/message') return
    const { notices } = this
    this.notices = () => []
    const waiting = this.#waitingNotes
    this.#waitingNotes = []
    this.#isTold = true
    for (const text of [...notices(), ...waiting]) await this.#recordNote(text)
    if (this.facts.title !== undefined) return
    const title = toTitle(event.content)
    if (title) await this.record({ type: 'session/config', title })
  }
}

function toTitle(content: readonly ContentBlock[]): string {
  const first = content.find(block => block.type === 'text' && block.text.trim() !== '')
  return first?.type === 'text' ? oneLine(first.text.trim(), MAX_TITLE_CHARS) : ''
}
