import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import type { Context } from 'cordis'
import type { Driver } from '../agent/index.js'
import { hasErrorCode } from '../cards/index.js'
import type { SessionLog, SessionPage, SessionStore } from '../session/index.js'
import { CommandMenu } from './command-menu.js'
import { OpenSession } from './open-session.js'
import { invalidParams, toRequestError, unknownSession } from './protocol-errors.js'
import { type Place, SessionFacts } from './session-facts.js'
import { SessionView, type ViewMode, type ViewOptions } from './session-view.js'

/** Directories as a client names them. */
export interface PlaceRequest {
  cwd: string
  additionalDirectories?: readonly string[] | null
}

export interface SessionTableOptions {
  ctx: Context
  store: SessionStore
  driver: () => Driver
  /** The client as it declared itself. */
  client: () => Omit<ViewOptions, 'sessionId' | 'place'>
}

interface Entry {
  session: OpenSession
  view: SessionView
  menu: CommandMenu
}

/** The sessions of one connection, by id: made, loaded, closed and deleted here. */
export class SessionTable {
  readonly #open = new Map<string, Entry>()
  /** Loads and closes of one session happen one after another. */
  readonly #busy = new Map<string, Promise<unknown>>()

  constructor(private readonly options: SessionTableOptions) {
    options.ctx.on('tools/change', () => {
      for (const { menu } of this.#open.values()) menu.changed()
    })
  }

  async create(request: PlaceRequest): Promise<OpenSession> {
    const place = await toPlace(request)
    const log = this.options.store.create(place)
    const view = await this.#view(log.header.id, place, 'live')
    return this.#register(this.#session(log, new SessionFacts(place), view), view)
  }

  /** Opens a recorded session, and in `replay` sends what happened in it; all of that is sent when this resolves. */
  async load(id: string, request: PlaceRequest, mode: 'replay' | 'silent', signal: AbortSignal): Promise<void> {
    const place = await toPlace(request)
    await this.#alone(id, async () => {
      const open = this.#open.get(id)
      if (open) await this.#showAgain(open, mode, signal)
      else await this.#openRecorded(id, place, mode, signal)
      await this.#open.get(id)?.session.move(place)
    })
  }

  /** The open session of this id; -32602 for any other. */
  get(id: string): OpenSession {
    const entry = this.#open.get(id)
    if (!entry) throw invalidParams(`There is no open session ${id}.`)
    return entry.session
  }

  find(id: string): OpenSession | undefined {
    return this.#open.get(id)?.session
  }

  /** Sends the commands of a session; called once its response has been written. */
  advertise(id: string): void {
    this.#open.get(id)?.menu.advertise()
  }

  async close(id: string): Promise<void> {
    if (!this.#open.has(id)) throw unknownSession(id)
    await this.#alone(id, () => this.#leave(id))
  }

  /** Removes a session for good, closing it first; succeeds if there is none. */
  async delete(id: string): Promise<void> {
    await this.#alone(id, async () => {
      await this.#leave(id)
      await this.options.store.delete(id)
    })
  }

  list(options: { cwd?: string; cursor?: string }): Promise<SessionPage> {
    return this.options.store.list(options)
  }

  /** Ends all sessions with what they started. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map(id => this.#leave(id)))
  }

  async #openRecorded(id: string, place: Place, mode: ViewMode, signal: AbortSignal): Promise<void> {
    let view: SessionView | undefined
    let facts: SessionFacts | undefined
    const opened = await this.options.store.open(
      id,
      async (events, header) => {
        signal.throwIfAborted()
        facts ??= new SessionFacts(header)
        view ??= await this.#view(id, facts.place, mode)
        for (const event of events) {
          facts.apply(event)
          if (event.type === 'tool/result') this.options.ctx.files.restoreSeen(id, event.meta)
          await view.push(event)
        }
      },
      { fallbackCwd: place.cwd },
    )
    for (const { line, reason } of opened.warnings)
      this.options.client().log('warn', `session ${id}: line ${line}: ${reason}`)
    facts ??= new SessionFacts(opened.log.header)
    view ??= await this.#view(id, facts.place, mode)
    await view.goLive()
    this.#register(this.#session(opened.log, facts, view), view)
  }

  /** Loading a session that is open here shows it again; a turn that runs is cancelled first. */
  async #showAgain(entry: Entry, mode: ViewMode, signal: AbortSignal): Promise<void> {
    const { session } = entry
    await session.settle()
    if (mode !== 'replay') return
    const reading = await this.options.store.read(session.id).catch(error => {
      // No prompt yet, so no log and nothing to show.
      if (hasErrorCode(error, 'SESSION_NOT_FOUND')) return undefined
      throw error
    })
    const view = await this.#view(session.id, reading?.header ?? session.place, 'replay')
    if (reading) {
      for await (const events of reading.batches) {
        signal.throwIfAborted()
        for (const event of events) await view.push(event)
      }
    }
    await view.goLive()
    entry.view.close()
    entry.view = view
    session.attach(view)
  }

  #register(session: OpenSession, view: SessionView): OpenSession {
    const entry: Entry = {
      session,
      view,
      menu: new CommandMenu(
        () => this.options.driver().commands?.({ sessionId: session.id, ...session.place }) ?? [],
        availableCommands => {
          entry.view.send({ sessionUpdate: 'available_commands_update', availableCommands })
        },
      ),
    }
    this.#open.set(session.id, entry)
    return session
  }

  #session(log: SessionLog, facts: SessionFacts, view: SessionView): OpenSession {
    return new OpenSession(this.options.ctx, this.options.driver(), log, facts, view)
  }

  async #view(sessionId: string, { cwd, roots }: Place, mode: ViewMode): Promise<SessionView> {
    return SessionView.open({ ...this.options.client(), sessionId, place: { cwd, roots } }, mode)
  }

  async #leave(id: string): Promise<void> {
    const entry = this.#open.get(id)
    if (!entry) return
    await entry.session.close()
    entry.menu.close()
    entry.view.close()
    this.#open.delete(id)
  }

  async #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#busy.get(id) ?? Promise.resolve()
    const run = before.then(work, work)
    const settled = run.catch(() => {})
    this.#busy.set(id, settled)
    try {
      return await run
    } catch (error) {
      throw toRequestError(error)
    } finally {
      if (this.#busy.get(id) === settled) this.#busy.delete(id)
    }
  }
}

async function toPlace({ cwd, additionalDirectories }: PlaceRequest): Promise<Place> {
  if (!isAbsolute(cwd)) throw invalidParams(`cwd must be an absolute path, not ${JSON.stringify(cwd)}.`)
  const more = additionalDirectories ?? []
  const relative = more.find(directory => !isAbsolute(directory))
  if (relative !== undefined) {
    throw invalidParams(`additionalDirectories must be absolute paths, not ${JSON.stringify(relative)}.`)
  }
  const found = await stat(cwd).catch(() => undefined)
  if (!found?.isDirectory()) throw invalidParams(`The directory ${cwd} does not exist.`)
  const root = resolve(cwd)
  return { cwd: root, roots: [...new Set([root, ...more.map(directory => resolve(directory))])] }
}
