import { HarnessError, oneLine } from '../../cards/index.js'
import type { ActiveExecution } from '../../registry/index.js'
import { convertTools, toToolsLog, toToolsNote } from '../cards/index.js'
import type { FailureNotes } from '../failure-notes.js'
import { type McpServer, toIdentity } from '../server.js'
import type { StartSlots } from '../start-slots.js'
import { Connection, type ConnectionOptions } from './connection.js'
import { describeFailure } from './describe-failure.js'
import type { ServerLog } from './server-log.js'
import type { ToolList } from './tool-list.js'

/** From the start of the program to its list of tools; a first start may download it. */
const START_LIMIT_MS = 60_000
const RESTART_DELAYS_MS = [1000, 2000, 4000, 8000, 16_000]
/** A server that has stood for so long may start anew as often as at first. */
const STEADY_MS = 60_000
/** Between two looks at a list that changes all the time. */
const RELIST_MS = 1000

export interface ServerRunOptions {
  readonly server: McpServer
  readonly tools: ToolList
  readonly log: ServerLog
  readonly connection: Omit<ConnectionOptions, 'onToolsChanged' | 'onLost' | 'server' | 'log'>
  /** Turns for starts of programs. */
  readonly slots: StartSlots
  readonly failures: FailureNotes
  /** A line for the thread. */
  note(text: string): void
  /** Waits between starts, for tests. */
  restartDelaysMs?: readonly number[]
}

/** A server of one session from its first start to its end: started again when it ends, given up after some tries. */
export class ServerRun {
  readonly #options: ServerRunOptions
  readonly #stop = new AbortController()
  #connection: Connection | undefined
  #failures = 0
  #steady: NodeJS.Timeout | undefined
  #restart: NodeJS.Timeout | undefined
  #relist: NodeJS.Timeout | undefined
  #isListing = false
  #isListOld = false
  #isGivenUp = false
  #lastNote = ''
  #starting: Promise<void>

  constructor(options: ServerRunOptions) {
    this.#options = options
    this.#starting = this.#start()
  }

  /** Settles when the start that is under way has come to an end, either way. Never rejects. */
  get started(): Promise<void> {
    return this.#starting
  }

  get #name(): string {
    return oneLine(this.#options.server.name, 60)
  }

  /** Starts a server again that was given up; false if it was not. */
  retry(): boolean {
    if (!this.#isGivenUp || this.#stop.signal.aborted) return false
    this.#isGivenUp = false
    this.#failures = 0
    this.#starting = this.#start()
    return true
  }

  async rootsChanged(): Promise<void> {
    await this.#connection?.rootsChanged()
  }

  /** Settles when all that was started is gone. Never rejects. */
  async close(): Promise<void> {
    this.#stop.abort(new HarnessError('ABORTED', 'The session was closed.'))
    for (const timer of [this.#steady, this.#restart, this.#relist]) clearTimeout(timer)
    await Promise.all([this.#connection?.close(), this.#starting])
  }

  async #start(): Promise<void> {
    const { server, slots, failures } = this.#options
    const end = failures.begin()
    const release = server.type === 'stdio' ? await slots.take(this.#stop.signal) : undefined
    if (!this.#stop.signal.aborted) await this.#open()
    release?.()
    end()
  }

  /** Never rejects. */
  async #open(): Promise<void> {
    const { server, log } = this.#options
    const limit = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(START_LIMIT_MS)])
    let connection: Connection | undefined
    try {
      connection = await Connection.open(
        {
          ...this.#options.connection,
          server,
          log,
          onToolsChanged: () => this.#toolsChanged(),
          onLost: reason => this.#lost(reason),
        },
        limit,
      )
      this.#connection = connection
      await this.#list(connection, limit)
      log.line(`runs, with ${this.#options.tools.size} tools`)
      this.#steady = setTimeout(() => {
        this.#failures = 0
      }, STEADY_MS).unref()
    } catch (error) {
      await connection?.close()
      if (this.#stop.signal.aborted) return
      // A connection that was lost while it listed has been counted already.
      if (connection !== undefined && this.#connection !== connection) return
      this.#connection = undefined
      this.#failed(limit.aborted ? `it did not answer within ${START_LIMIT_MS / 1000} s` : describeFailure(error))
    }
  }

  #lost(reason: string): void {
    clearTimeout(this.#steady)
    this.#connection = undefined
    if (!this.#stop.signal.aborted) this.#failed(reason)
  }

  #failed(reason: string): void {
    const { restartDelaysMs = RESTART_DELAYS_MS, log, tools, failures } = this.#options
    log.line(`does not run: ${reason}`)
    const delay = restartDelaysMs[this.#failures]
    this.#failures += 1
    if (delay === undefined) {
      this.#isGivenUp = true
      tools.clear()
      failures.add({ server: this.#name, reason, givenUpAfter: this.#failures })
      return
    }
    if (this.#failures === 1) failures.add({ server: this.#name, reason })
    this.#restart = setTimeout(() => {
      this.#starting = this.#start()
    }, delay).unref()
  }

  /** Many changes make one look, and looks keep a distance. */
  #toolsChanged(): void {
    this.#isListOld = true
    if (this.#isListing || this.#relist !== undefined) return
    this.#relist = setTimeout(() => {
      this.#relist = undefined
      void this.#listAgain()
    }, RELIST_MS).unref()
  }

  async #listAgain(): Promise<void> {
    const connection = this.#connection
    if (!connection) return
    try {
      await this.#list(connection, this.#stop.signal)
    } catch (error) {
      this.#options.log.line(`its tools could not be listed again: ${describeFailure(error)}`)
    }
  }

  async #list(connection: Connection, signal: AbortSignal): Promise<void> {
    const { server, tools, log, note } = this.#options
    this.#isListing = true
    this.#isListOld = false
    try {
      const converted = await convertTools({
        server: server.name,
        identity: toIdentity(server),
        trusted: server.trusted,
        tools: await connection.listTools(signal),
        taken: tools.taken,
        call: (tool, args, exec) => this.#call(tool, args, exec),
        signal,
      })
      if (signal.aborted || this.#connection !== connection) throw new Error('it ended while its tools were listed')
      await tools.replace(converted.definitions, signal)
      for (const line of toToolsLog(server.name, converted)) log.line(line)
      const words = toToolsNote(server.name, converted)
      if (words !== undefined && words !== this.#lastNote) note(words)
      this.#lastNote = words ?? ''
    } finally {
      this.#isListing = false
      if (this.#isListOld) this.#toolsChanged()
    }
  }

  #call(tool: string, args: Record<string, unknown>, exec: ActiveExecution): Promise<unknown> {
    if (this.#connection) return this.#connection.callTool(tool, args, exec)
    const words = this.#isGivenUp ? 'was given up' : 'is starting again; call the tool again in some seconds'
    throw new HarnessError('MCP_UNAVAILABLE', `The MCP server ${this.#name} does not run: it ${words}.`)
  }
}
