import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Context, Fiber } from 'cordis'
import type { Config } from '../config/index.js'
import { createFetch, type Fetch } from '../network/index.js'
import { MCP_FAMILY, presentMcp } from './cards/present.js'
import type { ServerRun } from './client/index.js'
import { FailureNotes } from './failure-notes.js'
import { type McpServer, type SessionServer, toIdentity, toServerList } from './server.js'
import { StartSlots } from './start-slots.js'
import { ToldOnce } from './told-once.js'

declare module 'cordis' {
  interface Context {
    /** The MCP servers of the sessions. */
    mcp: McpServers
  }
  interface Events {
    /**
     * A line for the thread of a session: a server does not run, or tools of it were left out. A function is to be asked when
     * the line is shown; undefined: another thread has shown it.
     */
    'mcp/note'(sessionId: string, line: string | (() => string | undefined)): void
  }
}

export interface McpOptions {
  readonly config: Pick<Config, 'mcpServers' | 'caFile'>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Of Deckhand, which servers are told. */
  readonly version: string
  /** Waits between starts of a server; for tests. */
  readonly restartDelaysMs?: readonly number[]
}

interface OpenServer {
  readonly server: McpServer
  readonly fiber: Promise<Fiber | undefined>
  readonly run: Promise<ServerRun | undefined>
}

interface SessionEntry {
  roots: readonly string[]
  readonly failures: FailureNotes
  readonly servers: Map<string, OpenServer>
}

/** The service `mcp`: which servers each session has. Nothing of a client is loaded before a session has one. */
export class McpServers {
  readonly #ctx: Context
  readonly #options: McpOptions
  readonly #fetch: Fetch
  readonly #sessions = new Map<string, SessionEntry>()
  readonly #slots = new StartSlots()
  readonly #told = new ToldOnce()
  /** The last start of all, whose program is started before the next one's. */
  #starts: Promise<unknown> = Promise.resolve()

  constructor(ctx: Context, options: McpOptions) {
    const { config, env } = options
    this.#ctx = ctx
    this.#options = options
    this.#fetch = createFetch({ env, ...(config.caFile === undefined ? {} : { caFile: config.caFile }) })
  }

  /**
   * Makes these and those of the config the session's servers, and returns at once: they start in the background, those that
   * the session has already stay, others end. `roots` are absolute, cwd first.
   */
  open(sessionId: string, roots: readonly string[], editorServers: readonly SessionServer[]): void {
    const { servers, notes } = toServerList(editorServers, this.#options.config.mcpServers)
    const known = this.#sessions.get(sessionId)
    if (servers.length === 0 && !known) return
    const tell = (text: string) => this.#ctx.emit('mcp/note', sessionId, text)
    const session = known ?? { roots, failures: new FailureNotes(tell), servers: new Map<string, OpenServer>() }
    this.#sessions.set(sessionId, session)
    this.move(sessionId, roots)
    for (const [name, { server, fiber }] of session.servers) {
      if (servers.some(wanted => isDeepStrictEqual(wanted, server))) continue
      session.servers.delete(name)
      void end(fiber)
    }
    for (const server of servers) {
      if (!session.servers.has(server.name)) session.servers.set(server.name, this.#start(sessionId, session, server))
    }
    for (const text of notes) tell(text)
  }

  /** The session has other directories. */
  move(sessionId: string, roots: readonly string[]): void {
    const session = this.#sessions.get(sessionId)
    if (!session || isDeepStrictEqual(session.roots, roots)) return
    session.roots = roots
    for (const { run } of session.servers.values()) void run.then(started => started?.rootsChanged())
  }

  /** Starts those again that were given up; their names. */
  async retry(sessionId: string): Promise<string[]> {
    const servers = [...(this.#sessions.get(sessionId)?.servers.values() ?? [])]
    const retried = servers.map(async ({ server, run }) => ((await run)?.retry() === true ? [server.name] : []))
    return (await Promise.all(retried)).flat()
  }

  /** Settles when nothing is left of the session's servers. Never rejects. */
  async close(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId)
    this.#sessions.delete(sessionId)
    session?.failures.close()
    await Promise.all([...(session?.servers.values() ?? [])].map(({ fiber }) => end(fiber)))
  }

  #start(sessionId: string, session: SessionEntry, server: McpServer): OpenServer {
    const { version, restartDelaysMs } = this.#options
    const { failures } = session
    const told = this.#told
    const note = (text: string) => this.#ctx.emit('mcp/note', sessionId, told.line(toIdentity(server), text))
    const startEnded = failures.begin()
    // Each in a turn of the event loop of its own: loading the client, and starting a program, keep what waits to be sent.
    const loaded = this.#starts
      .then(() => nextTurn())
      .then(() => import('./client/index.js'))
      .then(({ mcpPlugin }) => {
        const roots = () => session.roots
        const options = { sessionId, server, roots, fetch: this.#fetch, version, slots: this.#slots, failures, note }
        const { plugin, run } = mcpPlugin({ ...options, ...(restartDelaysMs ? { restartDelaysMs } : {}) })
        return { fiber: this.#ctx.plugin(plugin), run }
      })
    this.#starts = loaded.catch(() => {})
    loaded.catch(error => this.#ctx.logger('mcp').error('the MCP client could not be loaded:', error))
    const fiber = loaded.then(
      ({ fiber: made }) => made,
      () => undefined,
    )
    const run = loaded.then(
      ({ run: made }) => made,
      () => undefined,
    )
    this.#ctx.tools.expect(sessionId, run.then(started => started?.started).finally(startEnded))
    return { server, fiber, run }
  }
}

/** A plugin that failed has nothing to end. */
async function end(fiber: Promise<Fiber | undefined>): Promise<void> {
  const made = await fiber
  await Promise.resolve(made?.dispose()).catch(() => {})
}

/** Provides the service `mcp`, and the cards of tools whose servers do not run. */
export const mcpServersPlugin = {
  name: 'mcp',
  inject: ['tools', 'launcher'],
  apply(ctx: Context, options: McpOptions): void {
    ctx.tools.presenters.add(MCP_FAMILY, presentMcp)
    ctx.provide('mcp', new McpServers(ctx, options))
  },
}
