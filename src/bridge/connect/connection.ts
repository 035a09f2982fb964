import {
  type AgentConnection,
  type AnyMessage,
  agent,
  type InitializeRequest,
  type JsonRpcId,
  methods,
  type Stream,
} from '@agentclientprotocol/sdk'
import { version } from '../../version.js'
import { type ClientProfile, toClientProfile } from '../render/profile.js'
import { fromPromptBlocks } from '../sessions/prompt-blocks.js'
import type { SessionTable } from '../sessions/session-table.js'
import { noOpenSession, toRequestError } from '../wire/protocol-errors.js'
import { tapWire, type WireObserver } from '../wire/wire-tap.js'
import type { LoginCommand } from './auth-methods.js'
import { toInitializeRequest, toInitializeResponse } from './initialize.js'
import type { LateHost } from './late-host.js'
import { loadMessageSchemas } from './message-schemas.js'
import { isPlainRequest } from './plain-request.js'

export interface ConnectionOptions {
  stream: Stream
  /** Sessions wait for it; initialize does not. */
  host: LateHost
  login?: LoginCommand
  log: (level: 'warn' | 'info', ...parts: unknown[]) => void
  onProfile(profile: ClientProfile): void
  onMessage?: WireObserver
}

/** Binds the methods of the protocol to the sessions. Every handler answers with a result or a protocol error. */
export function connectAgent({ stream, host, login, log, onProfile, onMessage }: ConnectionOptions): AgentConnection {
  // Without them, each request is answered with an error.
  const loadSchemas = () =>
    loadMessageSchemas().catch(error => log('warn', 'The schemas of messages could not be loaded:', error))
  const wire = tapWire(stream, {
    ...(onMessage ? { onMessage } : {}),
    // The first messages are read without the SDK's schemas.
    beforeRead: message => (isReadWithout(message) ? undefined : loadSchemas()),
  })
  const answer = async <T>(work: (sessions: SessionTable) => Promise<T>): Promise<T> => {
    try {
      return await work(await host.open())
    } catch (error) {
      const mapped = toRequestError(error)
      if (mapped !== error) log('warn', error)
      throw mapped
    }
  }
  const { session } = methods.agent

  const initialize = ({ params, requestId }: { params: InitializeRequest; requestId: JsonRpcId }) => {
    onProfile(toClientProfile(params.clientCapabilities))
    // Not before the answer has left: loading what sessions need takes longer than answering.
    wire.afterResponse(requestId, () => host.start())
    return toInitializeResponse(params, version, login)
  }
  const connection = agent({ name: 'deckhand' })
    .onRequest(methods.agent.initialize, toInitializeRequest, initialize)
    // Never reached: with its own reading of the method registered, the SDK refuses all else before it.
    .onRequest(methods.agent.initialize, initialize)
    .onRequest(methods.agent.authenticate, ({ requestId }) =>
      answer(async sessions => {
        // The login itself has happened in a terminal: what it has stored counts from now on.
        wire.afterResponse(requestId, () => sessions.loggedIn())
        return {}
      }),
    )
    .onRequest(session.new, ({ params, requestId }) =>
      answer(async sessions => {
        const { id, options } = await sessions.create(params)
        wire.afterResponse(requestId, () => sessions.advertise(id))
        return { sessionId: id, ...options.settings }
      }),
    )
    .onRequest(session.load, ({ params, requestId, signal }) =>
      answer(async sessions => {
        await sessions.load(params.sessionId, params, 'replay', signal)
        wire.afterResponse(requestId, () => sessions.advertise(params.sessionId))
        return sessions.get(params.sessionId).options.settings
      }),
    )
    .onRequest(session.resume, ({ params, requestId, signal }) =>
      answer(async sessions => {
        await sessions.load(params.sessionId, params, 'silent', signal)
        wire.afterResponse(requestId, () => sessions.advertise(params.sessionId))
        return sessions.get(params.sessionId).options.settings
      }),
    )
    .onRequest(session.list, ({ params }) =>
      answer(async sessions => {
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
      answer(async sessions => {
        await sessions.close(params.sessionId)
        return {}
      }),
    )
    .onRequest(session.delete, ({ params }) =>
      answer(async sessions => {
        await sessions.delete(params.sessionId)
        return {}
      }),
    )
    .onRequest(session.prompt, ({ params, signal }) => {
      // Waits for nothing: the turn must stand before a cancel in the same chunk is dispatched (B54).
      const { sessions } = host
      if (!sessions) throw noOpenSession(params.sessionId)
      const turn = sessions.prompt(params.sessionId, fromPromptBlocks(params.prompt), signal)
      return turn.then(stopReason => ({ stopReason }))
    })
    .onRequest(session.setMode, ({ params }) =>
      answer(async sessions => {
        await sessions.get(params.sessionId).options.setMode(params.modeId, 'current_mode_update')
        return {}
      }),
    )
    .onRequest(session.setConfigOption, ({ params }) =>
      answer(async sessions => {
        const { configId, value } = params
        return { configOptions: await sessions.get(params.sessionId).options.set(configId, value) }
      }),
    )
    .onNotification(session.cancel, ({ params }) => host.sessions?.find(params.sessionId)?.cancel())
    .connect(wire.stream)
  void connection.closed.then(wire.end)
  return connection
}

function isReadWithout(message: AnyMessage): boolean {
  if (!('method' in message)) return false
  return message.method === methods.agent.initialize || isPlainRequest(message.method, message.params)
}
