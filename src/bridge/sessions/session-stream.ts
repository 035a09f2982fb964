import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { SessionEvent } from '../../session/events.js'
import {
  type CallPlace,
  emptySession,
  type Presenter,
  type SessionChange,
  type SessionState,
} from '../calls/call-state.js'
import { ProgressThrottle } from '../calls/progress-throttle.js'
import { interruptCalls, reduceSession, type SessionStep } from '../calls/reduce-session.js'
import type { ClientProfile } from '../render/profile.js'
import { type RenderContext, terminalKey } from '../render/render-context.js'
import { renderChange, renderPermissionCall } from '../render/renderer.js'
import { FieldTracker } from '../send/field-tracker.js'
import { SendQueue } from '../send/send-queue.js'

export interface SessionStreamOptions {
  profile: ClientProfile
  presenter: Presenter
  /** cwd and roots as the session's header has them; session/config events change them. */
  place: CallPlace
  /** Other spellings of a directory, such as the real path of a link. Default: none. */
  spellings?: (directory: string) => readonly string[]
  windows: boolean
  /** In a replay user messages are sent, and of a call's way to its end only what the end needs. */
  mode: 'live' | 'replay'
  send: (update: SessionUpdate) => Promise<void>
  /** The first send that failed; the stream is dead after it. */
  onError?: (error: unknown) => void
  /** A line for the log file: what was skipped, and why. */
  report?: (problem: string) => void
}

/** Session events → the client's updates, in order: call state, renderer, field tracker, send queue. One for each open session. */
export class SessionStream {
  readonly #presenter: Presenter
  readonly #context: RenderContext
  readonly #tracker: FieldTracker
  readonly #throttle: ProgressThrottle
  readonly #queue: SendQueue
  readonly #report: (problem: string) => void
  #state: SessionState
  #isReplay: boolean
  #room: Promise<void> = Promise.resolve()

  constructor(options: SessionStreamOptions) {
    const { profile, windows, spellings = () => [], report = () => {} } = options
    this.#presenter = options.presenter
    this.#context = { profile, windows, spellings }
    this.#state = emptySession(options.place)
    this.#isReplay = options.mode === 'replay'
    this.#report = report
    this.#tracker = new FieldTracker(report)
    this.#queue = new SendQueue({ send: options.send, ...(options.onError ? { onError: options.onError } : {}) })
    this.#throttle = new ProgressThrottle({
      emit: change => this.#send(change),
      appends: change => terminalKey(change.call, this.#context) !== undefined,
      paused: this.#isReplay,
    })
  }

  /** Takes one event. Resolves when the client has room for more; never rejects. Events are taken in the order of the calls. */
  push(event: SessionEvent): Promise<void> {
    return this.#apply(reduceSession(this.#state, event, this.#presenter))
  }

  /**
   * Ends a replay; what follows is live. `isRunning`: a turn of this session goes on in this process. Otherwise calls without
   * a result are shown as interrupted.
   */
  async goLive({ isRunning }: { isRunning: boolean }): Promise<void> {
    if (!isRunning) await this.#apply(interruptCalls(this.#state))
    this.#isReplay = false
    for (const call of this.#state.calls.values()) if (call.ran) this.#take({ type: 'call/running', call })
    this.#throttle.resume()
    await this.flush()
  }

  /** The call as session/request_permission shows it; undefined if it is not open. Its tool_call is on its way: flush first. */
  permissionCall(callId: string): ToolCallUpdate | undefined {
    const call = this.#state.calls.get(callId)
    if (!call?.called) return undefined
    const shown = renderPermissionCall(call, this.#context)
    this.#tracker.note(shown)
    return shown
  }

  /** Resolves when everything taken so far has been sent, or cannot be sent any more. */
  flush(): Promise<void> {
    this.#throttle.flush()
    return this.#queue.flush()
  }

  /** Drops what waits. Idempotent. */
  close(): void {
    this.#throttle.close()
    this.#queue.close()
  }

  #apply({ state, changes }: SessionStep): Promise<void> {
    this.#state = state
    this.#room = Promise.resolve()
    for (const change of changes) this.#take(change)
    return this.#room
  }

  #take(change: SessionChange): void {
    switch (change.type) {
      case 'skipped':
        this.#report(`${change.callId}: ${change.reason}`)
        break
      case 'user':
        // Live, the editor has shown what its user just sent.
        if (this.#isReplay) this.#send(change)
        break
      case 'call/running':
        if (!this.#isReplay) this.#send(change)
        break
      case 'call/content':
        // A terminal shows its output and nothing else.
        if (change.call.view?.card !== 'terminal') this.#throttle.offer(change)
        break
      case 'call/output':
        this.#throttle.offer(change)
        break
      case 'call/ended':
        this.#throttle.settle(change.call.callId)
        this.#send(change)
        break
      default:
        this.#send(change)
    }
  }

  #send(change: SessionChange): void {
    for (const update of renderChange(change, this.#context)) {
      const news = this.#tracker.admit(update)
      if (news) this.#room = this.#queue.push(news)
    }
  }
}
