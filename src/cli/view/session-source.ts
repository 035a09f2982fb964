import {
  createHost,
  type LogReading,
  replayLog,
  type SessionUpdate,
  type TranscriptLine,
  TranscriptReader,
} from '../../bridge/index.js'
import { CLIENT_CAPABILITIES, clientProfile } from '../client-profile.js'
import { type Environment, toHostSettings } from '../environment.js'
import { logTo } from '../log-file.js'
import type { Conversation } from './conversation.js'
import type { Question } from './entry.js'

/** The messages that loading a recorded session exchanges, for one kind of client, with the questions of its log. */
export async function viewSession(
  environment: Environment,
  reading: LogReading,
  client: string,
  conversation: Conversation,
): Promise<void> {
  const log = logTo(environment)
  const host = createHost([], log, toHostSettings(environment))
  await host.ready
  try {
    const reader = new TranscriptReader()
    const { id, cwd } = reading.header
    const take = (dir: 'in' | 'out', message: object) =>
      conversation.take(reader.readFrame({ dir, msg: { jsonrpc: '2.0', ...message } }) satisfies TranscriptLine)
    const clientCapabilities = CLIENT_CAPABILITIES[client] ?? {}
    await take('in', { id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities } })
    await take('out', { id: 0, result: { protocolVersion: 1 } })
    await take('in', { id: 1, method: 'session/load', params: { sessionId: id, cwd, mcpServers: [] } })
    await replayLog({
      reading: { ...reading, batches: withQuestions(reading, conversation), closing: () => reading.closing() },
      profile: clientProfile(client),
      presenter: host.ctx.tools,
      onUpdate: (update: SessionUpdate) => take('out', { method: 'session/update', params: { sessionId: id, update } }),
      log,
    })
    await take('out', { id: 1, result: {} })
    await conversation.end(reader.end())
  } finally {
    await host.close()
  }
}

/** The log's events; the questions among them, which a load does not ask again, are told to the conversation. */
async function* withQuestions({ batches }: LogReading, conversation: Conversation): LogReading['batches'] {
  const asked = new Map<string, Question>()
  for await (const events of batches) {
    for (const event of events) {
      if (event.type === 'permission/asked') {
        const question: Question = { text: event.question, options: [] }
        asked.set(event.callId, question)
        conversation.ask(event.callId, question)
      }
      const question = event.type === 'permission/answered' ? asked.get(event.callId) : undefined
      if (question && event.type === 'permission/answered')
        question.answer = { text: event.answer.replaceAll('_', ' ') }
    }
    yield events
  }
}
