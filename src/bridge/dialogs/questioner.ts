import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import type { Questioner, UserAnswer, UserQuestion } from '../../registry/index.js'
import type { OpenSession } from '../sessions/open-session.js'
import type { DialogQueue } from './dialog-queue.js'
import { fromChoice, fromElicitation, toChoiceRequest, toElicitation } from './question-dialog.js'

export interface QuestionerOptions {
  find(sessionId: string): OpenSession | undefined
  /** The client declared forms. */
  hasForms(): boolean
  /** These reject at once when the signal fires, and take the request back. */
  elicit(params: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse>
  request(params: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>
  dialogs: DialogQueue
  /** Told of each wait for the user, from its beginning. */
  onWait(call: { sessionId: string; callId: string }, answered: Promise<unknown>): void
  log: (level: 'warn', ...parts: unknown[]) => void
}

const WITHDRAWN: UserAnswer = { declined: 'the call was stopped before the user answered' }

/** The user behind the client as the service `questioner`: by a form, else by a choice of the options, else not at all. */
export function createQuestioner(options: QuestionerOptions): Questioner {
  const { find, hasForms, elicit, request, dialogs, onWait, log } = options

  async function put(session: OpenSession, question: UserQuestion): Promise<UserAnswer> {
    const { callId, options, isRunning = false, signal } = question
    const toolCall = await session.shownCall(callId)
    if (signal.aborted) return WITHDRAWN
    if (!toolCall) return { declined: 'its call is not shown to the user' }
    if (hasForms()) return fromElicitation(await elicit(toElicitation(session.id, question), signal))
    // A choice is put as a question of permission, which a call that runs is past (wire rule 4).
    if (isRunning) return { declined: 'this editor has no form for a question of a call that runs' }
    if (!options) {
      const advice = 'ask again with options to choose from, or put the question into your answer and end the turn'
      return { declined: `this editor has no form for free text; ${advice}` }
    }
    const answer = fromChoice(await request(toChoiceRequest(session.id, toolCall, options), signal), options)
    if (answer !== 'cancelled') return answer
    session.cancel()
    return { declined: 'the user cancelled the turn' }
  }

  return {
    async ask(question) {
      const { agent, signal } = question
      const session = find(agent.sessionId)
      if (!session) return { declined: 'the session is not open' }
      try {
        const answer = dialogs.run(session.id, signal, () => put(session, question))
        onWait({ sessionId: session.id, callId: question.callId }, answer)
        return (await answer) ?? WITHDRAWN
      } catch (error) {
        if (signal.aborted) return WITHDRAWN
        log('warn', `session ${session.id}: the client could not ask:`, error)
        const reason = error instanceof Error && error.message ? error.message : 'it gave no reason'
        return { declined: `the editor could not ask: ${reason}` }
      }
    },
  }
}
