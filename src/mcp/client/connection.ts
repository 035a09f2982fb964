import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { HarnessError, oneLine } from '../../cards/index.js'
import { type ActiveExecution, type Questioner, settledWithin } from '../../registry/index.js'
import { callTool } from './call-tool.js'
import { describeFailure, isConnectionFailure } from './describe-failure.js'
import { elicit } from './elicit.js'
import { listTools } from './list-tools.js'
import { type OpenedTransport, openTransport, type TransportOptions } from './open-transport.js'
import { RunningCalls } from './running-calls.js'

const CLOSE_LIMIT_MS = 2000

export interface ConnectionOptions extends TransportOptions {
  /** Of Deckhand. */
  readonly version: string
  /** The session's directories, as they are when the server asks. */
  roots(): readonly string[]
  questioner(): Questioner | undefined
  /** The server has other tools now. */
  onToolsChanged(): void
  /** Once, when a connection that stood is of no use any more; not after `close`. */
  onLost(reason: string): void
}

/** A connection that stands: the handshake is done. */
export class Connection {
  readonly #client: Client
  readonly #opened: OpenedTransport
  readonly #options: ConnectionOptions
  readonly #running: RunningCalls
  #lost: string | undefined
  #isClosed = false

  private constructor(client: Client, opened: OpenedTransport, options: ConnectionOptions, running: RunningCalls) {
    this.#client = client
    this.#opened = opened
    this.#options = options
    this.#running = running
  }

  /** Rejects with a reason in words if the server does not answer as one until the signal; nothing is left then. */
  static async open(options: ConnectionOptions, signal: AbortSignal): Promise<Connection> {
    const { Client, SseError } = await import('@modelcontextprotocol/client')
    const { server, log, version } = options
    const running = new RunningCalls()
    let connection: Connection | undefined
    const lose = (reason: string) => connection?.lose(reason)
    const opened = await openTransport(options, lose)
    const questions = options.questioner() === undefined ? {} : { elicitation: { form: {} } }
    const client = new Client(
      { name: 'deckhand', version },
      { capabilities: { roots: { listChanged: true }, ...questions } },
    )
    client.onerror = error => {
      log.line(`protocol: ${describeFailure(error)}`)
      // Its stream would be opened anew, to a server that knows nothing of us.
      if (error instanceof SseError) lose(describeFailure(error))
    }
    client.onclose = () => lose(opened.end() ?? 'the connection ended')
    client.setRequestHandler('roots/list', () => ({ roots: options.roots().map(toRoot) }))
    if (options.questioner() !== undefined) {
      client.setRequestHandler('elicitation/create', request =>
        elicit(
          { questioner: options.questioner(), running, server: server.name, log: line => log.line(line) },
          request,
        ),
      )
    }
    client.setNotificationHandler('notifications/tools/list_changed', () => options.onToolsChanged())
    client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
      const words = typeof data === 'string' ? data : JSON.stringify(data)
      log.line(`${level}${logger === undefined ? '' : ` ${logger}`}: ${words}`)
    })
    try {
      await untilAborted(client.connect(opened.transport, { signal }), signal)
    } catch (error) {
      await settledWithin(opened.transport.close(), CLOSE_LIMIT_MS)
      throw toUnavailable(opened, error)
    }
    connection = new Connection(client, opened, options, running)
    return connection
  }

  /** What the server lists. Rejects with a reason in words. */
  async listTools(signal: AbortSignal): Promise<unknown[]> {
    try {
      return await listTools(this.#client, signal)
    } catch (error) {
      throw toUnavailable(this.#opened, error)
    }
  }

  /** See {@link callTool}. */
  callTool(tool: string, args: Record<string, unknown>, exec: ActiveExecution): Promise<unknown> {
    const { name, callLimitMs } = this.#options.server
    return callTool(
      {
        client: this.#client,
        running: this.#running,
        server: oneLine(name, 60),
        limitMs: callLimitMs,
        ended: () => this.#lost,
        onFailure: error => {
          if (isConnectionFailure(error)) this.lose(describeFailure(error))
        },
      },
      tool,
      args,
      exec,
    )
  }

  /** The session has other directories. */
  async rootsChanged(): Promise<void> {
    await this.#client.sendRootsListChanged().catch(error => this.#options.log.line(describeFailure(error)))
  }

  /** The connection is of no use any more: what waits for it fails. */
  lose(reason: string): void {
    if (this.#lost !== undefined || this.#isClosed) return
    this.#lost = reason
    void settledWithin(this.#client.close(), CLOSE_LIMIT_MS)
    this.#options.onLost(reason)
  }

  /** Settles when what was started is gone. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true
    await settledWithin(this.#opened.transport.close(), CLOSE_LIMIT_MS)
  }
}

function toUnavailable(opened: OpenedTransport, cause: unknown): HarnessError {
  return new HarnessError('MCP_UNAVAILABLE', opened.end() ?? describeFailure(cause), { cause })
}

function toRoot(path: string) {
  return { uri: pathToFileURL(path).href, name: basename(path) || path }
}

/** Some transports wait for a server for ever, whatever the client's limit is. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason ?? new HarnessError('ABORTED', 'stopped'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
