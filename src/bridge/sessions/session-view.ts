import { realpath } from 'node:fs/promises'
import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { SessionEvent } from '../../session/index.js'
import type { Presenter } from '../calls/call-state.js'
import type { ClientProfile } from '../render/profile.js'
import type { Place } from './session-facts.js'
import { SessionStream } from './session-stream.js'

export interface ViewOptions {
  sessionId: string
  place: Place
  profile: ClientProfile
  presenter: Presenter
  send: (sessionId: string, update: SessionUpdate) => Promise<void>
  log: (level: 'warn' | 'info', ...parts: unknown[]) => void
}

/**
 * How the recorded part of a session reaches the client: `live` has none, `replay` sends it (session/load), `silent` only
 * takes note of it (session/resume).
 */
export type ViewMode = 'live' | 'replay' | 'silent'

/** A session as one client sees it: its stream of updates, and what has to be looked up on the disk for it. */
export class SessionView {
  readonly #spellings = new Map<string, readonly string[]>()
  readonly #stream: SessionStream
  #isMuted: boolean

  private constructor(
    private readonly options: ViewOptions,
    mode: ViewMode,
  ) {
    const { sessionId, place, profile, presenter, send, log } = options
    this.#isMuted = mode === 'silent'
    this.#stream = new SessionStream({
      profile,
      presenter,
      place,
      spellings: directory => this.#spellings.get(directory) ?? [],
      windows: process.platform === 'win32',
      mode: mode === 'live' ? 'live' : 'replay',
      send: update => (this.#isMuted ? Promise.resolve() : send(sessionId, update)),
      onError: error => log('info', `session ${sessionId}: the client reads no more: ${String(error)}`),
      report: problem => log('warn', `session ${sessionId}: ${problem}`),
    })
  }

  static async open(options: ViewOptions, mode: ViewMode): Promise<SessionView> {
    const view = new SessionView(options, mode)
    await view.#learnSpellings([options.place.cwd, ...options.place.roots])
    return view
  }

  /** Takes one event, in the order of the calls. Resolves when the client has room for more; never rejects. */
  async push(event: SessionEvent): Promise<void> {
    if (event.type === 'session/config') await this.#learnSpellings([event.cwd, ...(event.roots ?? [])])
    try {
      await this.#stream.push(event)
    } catch (error) {
      // A card that cannot be drawn is our fault: it ends neither the turn nor the load of the session.
      this.options.log('warn', `session ${this.options.sessionId}: ${event.type} could not be shown:`, error)
    }
  }

  /** The recorded part is over and all of it has been sent. */
  async goLive(): Promise<void> {
    await this.#stream.goLive({ isRunning: false })
    this.#isMuted = false
  }

  /** The call as a request of permission shows it, once its tool_call has been sent; undefined if it is not open. */
  async shownCall(callId: string): Promise<ToolCallUpdate | undefined> {
    await this.#stream.flush()
    return this.#stream.permissionCall(callId)
  }

  /** Shows a line while it matters; false if the client has no place for it. */
  notify(title: string): boolean {
    if (!this.options.profile.notices || this.#isMuted) return false
    this.send({ sessionUpdate: 'notice', severity: 'info', title })
    return true
  }

  /** An update that is no event of the session: its commands. */
  send(update: SessionUpdate): void {
    // A client that has gone is found out by its connection.
    this.options.send(this.options.sessionId, update).catch(() => {})
  }

  /** Resolves when all that was taken has been sent. */
  flush(): Promise<void> {
    return this.#stream.flush()
  }

  close(): void {
    this.#stream.close()
  }

  // Symlinked directories have two spellings, and titles know both (B42).
  async #learnSpellings(directories: readonly (string | undefined)[]): Promise<void> {
    for (const directory of directories) {
      if (directory === undefined || this.#spellings.has(directory)) continue
      const real = await realpath(directory).catch(() => directory)
      this.#spellings.set(directory, real === directory ? [] : [real])
    }
  }
}
