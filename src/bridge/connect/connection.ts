import { type AgentConnection, agent, methods, type Stream } from '@agentclientprotocol/sdk'
import { version } from '../version.js'
import type { LoginCommand } from './auth-methods.js'
import { toInitializeResponse } from './initialize.js'
import { type ClientProfile, toClientProfile } from './render/profile.js'
import { fromModeId } from './sessions/modes.js'
import { fromPromptBlocks } from './sessions/prompt-blocks.js'
import type { SessionTable } from './sessions/session-table.js'
import { toRequestError } from './wire/protocol-errors.js'
import { tapWire } from './wire/wire-tap.js'

export interface ConnectionOptions {
  stream: Stream
  sessions: SessionTable
  /** Resolves when the plugins stand; sessions wait for it, initialize does not. */
  ready: () => Promise<void>
  login?: LoginCommand
  log: (level: 'warn' | 'info', ...parts: unknown[]) => void
  onProfile(profile: ClientProfile): void
  onMessage?: Parameters<typeof tapWire>[1]
}

/** Binds the methods of the protocol to the sessions. Every handler answers with a result or a protocol error. */
export function connectAgent({
  stream,
  sessions,
  ready,
  login,
  log,
  onProfile,
  onMessage,
}: ConnectionOptions): AgentConnection {
  const wire = tapWire(stream, onMessage)
  const answer = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await ready()
      return await work()
    } catch (error) {
      const mapped = toRequestError(error)
      if (mapped !== error) log('warn', error)
      throw mapped
    }
  }
  const noteServers = (servers: readonly { name: string }[] | undefined) => {
    if (!servers?.length) return
    log('info', `MCP servers are not started yet: ${servers.map(({ name }) => name).join(', ')}`)
  }
  const { session } = methods.agent

  const connection = agent({ name: 'deckhand' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      onProfile(toClientProfile(params.clientCapabilities))
      return toInitializeResponse(params, version, login)
    })
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(session.new, ({ params, requestId }) =>
      answer(async () => {
        noteServers(params.mcpServers)
        const { id, settings } = await sessions.create(params)
        wire.afterResponse(requestId, () => sessions.advertise(id))
        return { sessionId: id, ...settings }
      }),
    )
    .onRequest(session.load, ({ params, requestId, signal }) =>
      answer(async () => {
        noteServers(params.mcpServers)
        await sessions.load(params.sessionId, params, 'replay', signal)
        wire.afterResponse(requestId, () => sessions.advertise(params.sessionId))
        return sessions.get(params.sessionId).settings
      }),
    )
    .onRequest(session.resume, ({ params, requestId, signal }) =>
      answer(async () => {
        noteServers(params.mcpServers)
        await sessions.load(params.sessionId, params, 'silent', signal)
        wire.afterResponse(requestId, () => sessions.advertise(params.sessionId))
        return sessions.get(params.sessionId).settings
      }),
    )
    .onRequest(session.list, ({ params }) =>
      answer(async () => {
        const page = await sessions.list({
          ...(params.cwd ? { cwd: params.cwd } : {}),
          ...(params.cursor ? { cursor: params.cursor } : {}),
        })
        return {
          sessions: page.sessions.map(({ id, cwd, title, updatedAt }) => ({
            sessionId: id,
            cwd,
            updatedAt,
            ...(title === undefined ? {} : { title }),
          })),
          ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
        }
      }),
    )
    .onRequest(session.close, ({ params }) =>
      answer(async () => {
        await sessions.close(params.sessionId)
        return {}
      }),
    )
    .onRequest(session.delete, ({ params }) =>
      answer(async () => {
        await sessions.delete(params.sessionId)
        return {}
      }),
    )
    .onRequest(session.prompt, ({ params, signal }) =>
      // Not behind `ready`: the turn must stand before a cancel in the same chunk is dispatched (B54).
      sessions
        .get(params.sessionId)
        .prompt(fromPromptBlocks(params.prompt), signal)
        .then(stopReason => ({ stopReason })),
    )
    .onRequest(session.setMode, ({ params }) =>
      answer(async () => {
        await sessions.get(params.sessionId).setMode(fromModeId(params.modeId), 'current_mode_update')
        return {}
      }),
    )
    .onRequest(session.setConfigOption, ({ params }) =>
      answer(async () => {
        const { configId, value } = params
        return { configOptions: await sessions.get(params.sessionId).setOption(configId, value) }
      }),
    )
    .onNotification(session.cancel, ({ params }) => sessions.find(params.sessionId)?.cancel())
    .connect(wire.stream)
  void connection.closed.then(wire.end)
  return connection
}
