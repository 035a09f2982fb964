import type { Stream } from '@agentclientprotocol/sdk'
import { type AgentHostOptions, openAgentHost } from './agent-host.js'
import { checkMessages } from './check/check-messages.js'
import type { LoginCommand } from './connect/auth-methods.js'
import { type Agent, serveAgent } from './connect/serve-agent.js'

export interface AgentOptions extends AgentHostOptions {
  /** Messages from and to the client; see `stdioStream`. */
  stream: Stream
  /** How a client starts this installation to log in; without it no login is offered. */
  login?: LoginCommand
  /** Checks every message against the wire rules: `log` reports findings, `throw` refuses to send. */
  check?: 'off' | 'log' | 'throw'
}

/** An agent on one connection: registry, tools, sessions, and the protocol in front of them. */
export function createAgent(options: AgentOptions): Agent {
  const { stream, login, log = () => {}, check = 'off' } = options
  return serveAgent({
    stream,
    ...(login ? { login } : {}),
    log,
    ...(check === 'off' ? {} : { onMessage: checkMessages(check, log) }),
    open: async link => openAgentHost(options, link),
  })
}
