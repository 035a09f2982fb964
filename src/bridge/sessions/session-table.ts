import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import type { McpServer } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import type { Driver, ModelSelector } from '../../agent/index.js'
import type { ContentBlock } from '../../cards/index.js'
import { isMode } from '../../gates/permission/index.js'
import type { SessionLog, SessionPage, SessionStore, StopReason } from '../../session/index.js'
import type { EditorFiles } from '../../workspace/index.js'
import type { WarmUp } from '../warm-up.js'
import { invalidParams, noOpenSession, unknownSession } from '../wire/protocol-errors.js'
import { CommandMenu } from './command-menu.js'
import { loadSession, showSession } from './load-session.js'
import { fromMcpServers } from './mcp-servers.js'
import { OpenSession } from './open-session.js'
import { type Place, SessionFacts } from './session-facts.js'
import { SessionView, type ViewMode, type ViewOptions } from './session-view.js'

/** Directories as a client names them. */
export interface PlaceRequest {
  cwd: string
  additionalDirectories?: readonly string[] | null
  mcpServers?: readonly McpServer[] | null
}

export interface SessionTableOptions {
  ctx: Context
  store: SessionStore
  driver: () => Driver
  /** Told of what it waits for and ends at. */
  warmUp: Pick<WarmUp, 'sessionLoading' | 'sessionOpened' | 'stop'>
  /** Offers models to choose from; absent where a driver of the host decides. */
  selector?: ModelSelector
  /** Lines for the thread, asked for at each session's first prompt. */
  notices?: () => readonly string[]
  /** The client as it declared itself. */
  client: () => Omit<ViewOptions, 'sessionId' | 'place' | 'presenter'>
  /** The client's files; undefined if it has none to offer, or the user has turned them off. */
  editor?: (sessionId: string) => EditorFiles | undefined
}

interface Entry {
  session: OpenSession
  view: SessionView
  menu: CommandMenu
  /** As the client named them last. */
  mcpServers?: readonly McpServer[]
}

/** The sessions of one connection, by id: made, loaded, closed and deleted here. */
export class SessionTable {
  readonly #open = new Map<string, Entry>()
  /** Loads and closes of one session happen one after another. */
  readonly #busy = new Map<string, Promise<unknown>>()
  readonly #listeners: readonly (() => void)[]

  constructor(private readonly options: SessionTableOptions) {
    const { ctx } = options
    this.#listeners = [
      ctx.on('tools/change', id => {
        const concerned = id === undefined ? this.#open.values() : [this.#open.get(id)]
        for (const entry of concerned) entry?.menu.changed()
      }),
      ctx.on('mcp/note', (id, line) => this.find(id)?.note(line)),
      ctx.on('permissions/mode', (id, mode) => this.find(id)?.options.modeChanged(mode)),
    ]
  }

  async create(request: PlaceRequest): Promise<OpenSession> {
    const place = await toPlace(request)
    const log = this.options.store.create(place)
    const view = await this.#view(log.header.id, place, 'live')
    const session = this.#register(this.#session(log, new SessionFacts(place), view), view)
    this.#noteServers(session, request)
    await session.options.learnModels()
    return session
  }

  /** Opens a recorded session, and in `replay` sends what happened in it; all of that is sent when this resolves. */
  async load(id: string, request: PlaceRequest, mode: 'replay' | 'silent', signal: AbortSignal): Promise<void> {
    this.options.warmUp.sessionLoading()
    const place = await toPlace(request)
    await this.#alone(id, async () => {
      await this.#load(id, place, mode, signal)
      const session = this.#open.get(id)?.session
      await session?.move(place)
      if (session) this.#noteServers(session, request)
      await session?.options.learnModels()
    })
  }

  /** The open session of this id; -32602 for any other. */
  get(id: string): OpenSession {
    const entry = this.#open.get(id)
    if (!entry) throw noOpenSession(id)
    return entry.session
  }

  /** Runs one prompt of a session, see there; throws as `get` does. */
  prompt(id: string, content: ContentBlock[], signal: AbortSignal): Promise<StopReason> {
    const session = this.get(id)
    this.options.warmUp.stop()
    return session.prompt(content, signal)
  }

  find(id: string): OpenSession | undefined {
    return this.#open.get(id)?.session
  }

  /**
   * After a session's response: sends what that could not hold, its commands and models that have to be asked for, and starts
   * its MCP servers, since loading their client takes longer than the response may.
   */
  advertise(id: string): void {
    const entry = this.#open.get(id)
    if (!entry) return
    entry.menu.advertise()
    void entry.session.options.askForModels()
    const { place } = entry.session
    this.options.ctx.get('mcp')?.open(id, place.roots, fromMcpServers(entry.mcpServers))
    this.options.warmUp.sessionOpened(place.roots)
  }

  /** The user has logged in: tells each session of what that brings. */
  loggedIn(): void {
    for (const { menu, session } of this.#open.values()) {
      menu.refresh()
      void session.options.modelsChanged()
    }
  }

  async close(id: string): Promise<void> {
    await this.#alone(id, async () => {
      if (!this.#open.has(id)) throw unknownSession(id)
      await this.#leave(id)
    })
  }

  /** Removes a session for good, closing it first; succeeds if there is none. */
  async delete(id: string): Promise<void> {
    await this.#alone(id, async () => {
      await this.#leave(id)
      await this.options.store.delete(id)
      await this.options.ctx.get('checkpoints')?.forget(id)
    })
  }

  list(options: { cwd?: string; cursor?: string }): Promise<SessionPage> {
    return this.options.store.list(options)
  }

  /** Ends all sessions with what they started, when the client has gone. */
  async closeAll(): Promise<void> {
    // No turn waits any more for a client that does not read.
    for (const { view } of this.#open.values()) view.close()
    // A load that was under way may open one more.
    await Promise.all([...this.#open.keys()].map(id => this.#leave(id)))
    await Promise.all(this.#busy.values())
    await Promise.all([...this.#open.keys()].map(id => this.#leave(id)))
    for (const stop of this.#listeners) stop()
  }

  /** A session that is open here is shown again; a turn that runs is cancelled first. */
  async #load(id: string, place: Place, mode: ViewMode, signal: AbortSignal): Promise<void> {
    const { ctx, store, client } = this.options
    const openView = (where: Place, how: ViewMode) => this.#view(id, where, how)
    const options = { ctx, store, id, mode, signal, openView, log: client().log }
    const entry = this.#open.get(id)
    if (!entry) {
      const { log, facts, view } = await loadSession({ ...options, place })
      const { mode: recorded, rejected } = facts
      ctx.permissions.restore(id, { ...(isMode(recorded) ? { mode: recorded } : {}), rejected })
      this.#register(this.#session(log, facts, view), view)
      return
    }
    const { session } = entry
    if (mode === 'silent') return session.settle()
    await session.reload(async () => {
      const view = await showSession({ ...options, place: session.place })
      entry.view.close()
      entry.view = view
      return view
    })
  }

  #noteServers({ id }: OpenSession, { mcpServers }: PlaceRequest): void {
    const entry = this.#open.get(id)
    if (entry) entry.mcpServers = mcpServers ?? []
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
    const { ctx, driver, client, editor, notices, selector } = this.options
    const files = editor?.(log.header.id)
    if (files) ctx.files.useEditor(log.header.id, files)
    return new OpenSession(ctx, driver(), log, facts, view, client().log, notices, selector)
  }

  async #view(sessionId: string, { cwd, roots }: Place, mode: ViewMode): Promise<SessionView> {
    const presenter = this.options.ctx.tools.forSession(sessionId)
    return SessionView.open({ ...this.options.client(), presenter, sessionId, place: { cwd, roots } }, mode)
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
