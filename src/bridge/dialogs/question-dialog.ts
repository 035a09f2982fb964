import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { cutText } from '../../cards/index.js'
import type { UserAnswer, UserQuestion } from '../../registry/index.js'

const MAX_ANSWER_CHARS = 16_000
const MAX_CHOICE_CHARS = 100

/** A question as a form: free text, and with options a choice besides. */
export function toElicitation(
  sessionId: string,
  { callId, question, options }: Pick<UserQuestion, 'callId' | 'question' | 'options'>,
): CreateElicitationRequest {
  return {
    mode: 'form',
    sessionId,
    toolCallId: callId,
    message: question,
    requestedSchema: options
      ? {
          type: 'object',
          properties: {
            answer: { type: 'string', title: 'Answer', enum: [...options] },
            other: { type: 'string', title: 'Another answer' },
          },
        }
      : { type: 'object', properties: { answer: { type: 'string', title: 'Answer' } }, required: ['answer'] },
  }
}

export function fromElicitation(response: CreateElicitationResponse): UserAnswer {
  if (response.action === 'decline') return { declined: 'the user declined to answer' }
  if (response.action !== 'accept') return { declined: 'the user closed the question without an answer' }
  const { answer, other } = (response.content ?? {}) as Record<string, unknown>
  const given = [other, answer].find(value => typeof value === 'string' && value.trim() !== '')
  if (typeof given !== 'string') return { declined: 'the user left the answer empty' }
  return { answer: cutText(given.trim(), MAX_ANSWER_CHARS) }
}

/** A question with options as a choice on the card of its call, for a client without forms. */
export function toChoiceRequest(
  sessionId: string,
  toolCall: ToolCallUpdate,
  options: readonly string[],
): RequestPermissionRequest {
  return {
    sessionId,
    toolCall,
    options: [
      ...options.map((option, index) => ({
        kind: 'allow_once' as const,
        optionId: toOptionId(index),
        name: cutText(option, MAX_CHOICE_CHARS),
      })),
      { kind: 'reject_once', optionId: 'no_answer', name: 'Do not answer' },
    ],
  }
}

/** `cancelled` ends the turn, as in every dialog (B59). */
export function fromChoice(
  { outcome }: RequestPermissionResponse,
  options: readonly string[],
): UserAnswer | 'cancelled' {
  if (outcome.outcome === 'cancelled') return 'cancelled'
  const id = outcome.outcome === 'selected' ? outcome.optionId : undefined
  const answer = options.find((_, index) => toOptionId(index) === id)
  return answer === undefined ? { declined: 'the user declined to answer' } : { answer }
}

function toOptionId(index: number): string {
  return `choice_${index + 1}`
}
