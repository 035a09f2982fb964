import { randomUUID } from 'node:crypto'
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { HarnessError } from '../../cards/index.js'
import type { ApprovalAnswer, ApprovalQuestion, Approver, ToolAgent } from '../../registry/index.js'
import type { OpenSession } from '../sessions/open-session.js'
import type { DialogQueue } from './dialog-queue.js'
import { fromPermissionResponse, toPermissionRequest } from './permission-dialog.js'

export interface ApproverOptions {
  find(sessionId: string): OpenSession | undefined
  /** Asks the client; rejects at once when the signal fires, and takes the request back. */
  request(params: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>
  /** The client has gone. */
  isClosed(): boolean
  dialogs: DialogQueue
  /** Told of each wait for the user, from its beginning. */
  onWait(call: { sessionId: string; callId: string }, answered: Promise<unknown>): void
  log: (level: 'warn', ...parts: unknown[]) => void
}

/** The user behind the client as the service `approver`. Questions and answers are in the session's log before they count. */
export function createApprover({ find, request, isClosed, dialogs, onWait, log }: ApproverOptions): Approver {
  async function put(session: OpenSession, question: ApprovalQuestion): Promise<ApprovalAnswer> {
    const { exec, signal, reason } = question
    await session.record({ type: 'permission/asked', callId: exec.callId, question: reason })
    const toolCall = await session.shownCall(exec.callId)
    if (signal.aborted) return 'cancelled'
    if (!toolCall) throw unasked(reason, 'its call is not shown')
    try {
      return fromPermissionResponse(
        await request(toPermissionRequest(session.id, toolCall, question), signal),
        question,
      )
    } catch (error) {
      if (signal.aborted || isClosed()) return 'cancelled'
      log('warn', `session ${session.id}: the client could not ask:`, error)
      throw unasked(reason, error instanceof Error && error.message ? error.message : 'it gave no reason')
    }
  }

  async function askNow(question: ApprovalQuestion): Promise<ApprovalAnswer> {
    const { exec, signal, reason, subjects } = question
    const session = exec.agent && find(exec.agent.sessionId)
    if (!session) throw unasked(reason, 'the session is not open')
    const { callId } = exec
    try {
      const answer = await put(session, question)
      // The call has its result by now, which says that it was stopped.
      if (signal.aborted) return 'cancelled'
      const more = answer === 'reject_always' && subjects ? { subjects: [...subjects] } : {}
      await session.record({ type: 'permission/answered', callId, answer, ...more })
      // The user's cancel in the dialog means the whole turn (B59).
      if (answer === 'cancelled') session.cancel()
      return answer
    } catch (error) {
      if (signal.aborted) return 'cancelled'
      await session.record({ type: 'permission/answered', callId, answer: 'unanswered' }).catch(() => {})
      throw error
    }
  }

  return {
    async ask(question) {
      const { exec, signal } = question
      const sessionId = exec.agent?.sessionId ?? ''
      const answer = dialogs.run(sessionId, signal, () => askNow(question))
      onWait({ sessionId, callId: exec.callId }, answer)
      return (await answer) ?? 'cancelled'
    },

    note({ sessionId }: ToolAgent, text: string) {
      find(sessionId)
        ?.record({ type: 'note', messageId: randomUUID(), text })
        .catch(error => log('warn', `session ${sessionId}: a line could not be recorded:`, error))
    },
  }
}

function unasked(reason: string, why: string): HarnessError {
  return new HarnessError(
    'REFUSED',
    `Not run: it needs the user's permission (${reason}), and the user could not be asked: ${why}`,
  )
}
