import type { AgentConnection, AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { type ClientProfile, toClientProfile } from '../render/profile.js'
import type { LoginCommand } from './auth-methods.js'
import { connectAgent } from './connection.js'
import { type AgentHost, LateHost } from './late-host.js'

/** The end of the process does not wait longer than this for what refuses to end. */
const CLOSE_LIMIT_MS = 5000

export type HostLog = (level: 'error' | 'warn' | 'info' | 'debug', ...parts: unknown[]) => void

/** The client, for what stands behind the connection. */
export interface ClientLink {
  readonly client: AgentConnection['client']
  /** Aborts when the connection has ended. */
  readonly signal: AbortSignal
  /** The client as it declared itself. */
  profile(): ClientProfile
}

export interface ServeOptions {
  /** Messages from and to the client; see `stdioStream`. */
  stream: Stream
  /** How a client starts this installation to log in; without it no login is offered. */
  login?: LoginCommand
  /** Gets what is for the log file; default: nothing is kept. */
  log?: HostLog
  /** Sees each message in its wire order; an outgoing one for which it throws is not sent. */
  onMessage?: (direction: 'in' | 'out', message: AnyMessage) => void
  /** Makes what sessions need, once, after initialize has been answered. Must start nothing if the link's signal has aborted. */
  open(link: ClientLink): Promise<AgentHost>
}

export interface Agent {
  /** Settles when the connection has ended and everything it started is gone. */
  readonly closed: Promise<void>
  /** Ends the connection. */
  close(): Promise<void>
}

/** Answers a client, from its first message on, and opens what sessions need behind the first answer. */
export function serveAgent({ stream, login, log = () => {}, onMessage, open }: ServeOptions): Agent {
  let profile = toClientProfile(undefined)
  const host = new LateHost(
    () => open({ client: connection.client, signal: connection.signal, profile: () => profile }),
    error => log('error', 'The agent could not be opened:', error),
  )
  const connection = connectAgent({
    stream,
    host,
    ...(login ? { login } : {}),
    log,
    onProfile: declared => {
      profile = declared
    },
    ...(onMessage ? { onMessage } : {}),
  })
  const closed = connection.closed.then(() =>
    Promise.race([host.close(), limit(CLOSE_LIMIT_MS)]).catch(error =>
      log('error', 'The agent did not end cleanly:', error),
    ),
  )
  return {
    closed,
    close: () => {
      connection.close()
      return closed
    },
  }
}

function limit(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
