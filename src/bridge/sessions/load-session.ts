import type { Context } from 'cordis'
import { hasErrorCode } from '../../cards/index.js'
import type { LoggedEvent, SessionLog, SessionStore } from '../../session/index.js'
import { type Place, SessionFacts } from './session-facts.js'
import type { SessionView, ViewMode } from './session-view.js'

export interface LoadOptions {
  ctx: Context
  store: SessionStore
  id: string
  /** What the client asked for; stands in where the log has lost its own. */
  place: Place
  mode: ViewMode
  /** Aborted when the client takes the request back or goes. */
  signal: AbortSignal
  openView: (place: Place, mode: ViewMode) => Promise<SessionView>
  log: (level: 'warn', ...parts: unknown[]) => void
}

/** A session of the log, shown and open for more. */
export interface LoadedSession {
  log: SessionLog
  facts: SessionFacts
  view: SessionView
}

/** Opens a recorded session and, in `replay`, sends what happened in it. A load that fails or is aborted leaves nothing open. */
export async function loadSession(options: LoadOptions): Promise<LoadedSession> {
  const { ctx, store, id, place, signal } = options
  const { files } = ctx
  const show = new Showing(options)
  let facts: SessionFacts | undefined
  let log: SessionLog | undefined
  try {
    const opened = await store.open(
      id,
      (events, header) => {
        facts ??= new SessionFacts(header)
        for (const event of events) {
          facts.apply(event)
          facts.history.add(event)
          if (event.type === 'tool/result') files.restoreSeen(id, event.meta)
        }
        return show.take(events, header)
      },
      { fallbackCwd: place.cwd },
    )
    log = opened.log
    for (const { line, reason } of opened.warnings) options.log('warn', `session ${id}: line ${line}: ${reason}`)
    const view = await show.end(log.header)
    signal.throwIfAborted()
    return { log, facts: facts ?? new SessionFacts(log.header), view }
  } catch (error) {
    show.close()
    files.forget(id)
    await log?.close()
    throw error
  }
}

/** Shows a session again that is open in this process and has no turn. `place` is where it is now. */
export async function showSession(options: LoadOptions): Promise<SessionView> {
  const { store, id, place } = options
  const show = new Showing(options)
  try {
    const reading = await store.read(id).catch(error => {
      // No prompt yet, so no log and nothing to show.
      if (hasErrorCode(error, 'SESSION_NOT_FOUND')) return undefined
      throw error
    })
    for await (const events of reading?.batches ?? []) await show.take(events, reading?.header ?? place)
    return await show.end(reading?.header ?? place)
  } catch (error) {
    show.close()
    throw error
  }
}

/** The view that a replay goes through; once the signal is aborted nothing more is sent, also of what waits. */
class Showing {
  readonly #options: LoadOptions
  readonly #onAbort = () => this.close()
  #view: SessionView | undefined

  constructor(options: LoadOptions) {
    this.#options = options
    options.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  async take(events: readonly LoggedEvent[], place: Place): Promise<void> {
    const view = await this.#open(place)
    for (const event of events) {
      this.#options.signal.throwIfAborted()
      await view.push(event)
    }
  }

  /** All of it has been sent when this resolves. */
  async end(place: Place): Promise<SessionView> {
    const view = await this.#open(place)
    await view.goLive()
    this.#options.signal.throwIfAborted()
    this.#options.signal.removeEventListener('abort', this.#onAbort)
    return view
  }

  close(): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort)
    this.#view?.close()
  }

  async #open({ cwd, roots }: Place): Promise<SessionView> {
    this.#view ??= await this.#options.openView({ cwd, roots }, this.#options.mode)
    return this.#view
  }
}
