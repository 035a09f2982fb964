import { StringDecoder } from 'node:string_decoder'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { HarnessError } from '../../cards/index.js'
import { type LaunchedProcess, type Launcher, type ProcessExit, settledWithin } from '../../registry/index.js'
import type { McpServer } from '../server.js'
import { MessageReader } from './message-reader.js'
import type { ServerLog } from './server-log.js'
import { toLaunchCommand } from './windows-command.js'

/** A server ends by itself when its stdin ends; after so long it is ended. */
const END_GRACE_MS = 300
/** More do not wait for a server that reads nothing, but asks and asks. */
const MAX_WAITING_MESSAGES = 1000

interface StdioOptions {
  readonly launcher: Launcher
  readonly sessionId: string
  readonly server: Extract<McpServer, { type: 'stdio' }>
  /** Absolute. */
  readonly cwd: string
  /** Gets what the server prints that is no message. */
  readonly log: ServerLog
}

/** A server as a child of ours, in a process group of its own that the session owns: messages by stdin and stdout. */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #options: StdioOptions
  #process: LaunchedProcess | undefined
  #isClosed = false
  #waiting = 0
  /** How the process ended, in words; undefined while it runs. */
  #end: string | undefined

  constructor(options: StdioOptions) {
    this.#options = options
  }

  get end(): string | undefined {
    return this.#end
  }

  async start(): Promise<void> {
    const { launcher, sessionId, server, cwd, log } = this.#options
    const stderr = new StringDecoder('utf8')
    const reader = new MessageReader({
      onMessage: message => {
        if (!this.#isClosed) this.onmessage?.(message as JSONRPCMessage)
      },
      onNoise: line => log.line(`stdout: ${line}`),
      onTooLong: () => {
        this.#end ??= 'it sent a message of more than 32 MB'
        void this.close()
      },
    })
    const { command, verbatimArguments } = await toLaunchCommand([server.command, ...server.args])
    const launched = await launcher.launch(sessionId, command, {
      cwd,
      ownEnv: server.env,
      keepInput: true,
      verbatimArguments,
      onOutput: (chunk, stream) => {
        if (this.#isClosed) return undefined
        if (stream === 'stdout') return reader.push(chunk)
        log.stream(stderr.write(Buffer.from(chunk)))
        return undefined
      },
    })
    this.#process = launched
    void launched.exited.then(exit => {
      this.#end ??= toEnd(exit)
      log.end()
      void this.close()
    })
    if (!this.#isClosed) return
    await launched.kill()
    throw new HarnessError('ABORTED', 'The server was stopped while it started.')
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#process?.input
    if (input === undefined || this.#isClosed) throw new Error('the server does not run')
    if (this.#waiting >= MAX_WAITING_MESSAGES) {
      this.#end ??= `it does not read its input, where ${MAX_WAITING_MESSAGES} messages wait`
      void this.close()
      throw new Error(this.#end)
    }
    this.#waiting += 1
    try {
      await input.write(`${JSON.stringify(message)}\n`)
    } finally {
      this.#waiting -= 1
    }
  }

  /** Settles when the process and what it started are gone. */
  async close(): Promise<void> {
    const launched = this.#process
    if (!this.#isClosed) {
      this.#isClosed = true
      this.onclose?.()
    }
    if (!launched) return
    launched.input?.end()
    await settledWithin(launched.exited, END_GRACE_MS)
    await launched.kill()
  }
}

function toEnd({ exitCode, signal }: ProcessExit): string {
  return signal === undefined ? `it ended with exit code ${exitCode ?? 'unknown'}` : `it was ended by ${signal}`
}
