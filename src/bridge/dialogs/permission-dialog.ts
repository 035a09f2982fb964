import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import type { ApprovalAnswer, ApprovalQuestion } from '../../registry/index.js'

/** The request for one question: the call's whole card, and the answers in their fixed order. */
export function toPermissionRequest(
  sessionId: string,
  toolCall: ToolCallUpdate,
  { reason, always }: Pick<ApprovalQuestion, 'reason' | 'always'>,
): RequestPermissionRequest {
  return { sessionId, toolCall, options: toOptions(always), _meta: { deckhand: { reason } } }
}

/** The answer that a response gives. What is no option of the request counts as refusal (B59). */
export function fromPermissionResponse(
  { outcome }: RequestPermissionResponse,
  { always }: Pick<ApprovalQuestion, 'always'>,
): ApprovalAnswer {
  if (outcome.outcome === 'cancelled') return 'cancelled'
  if (outcome.outcome !== 'selected') return 'reject_once'
  return toOptions(always).find(({ optionId }) => optionId === outcome.optionId)?.kind ?? 'reject_once'
}

function toOptions(always: string | undefined): PermissionOption[] {
  return [
    { kind: 'allow_once', optionId: 'allow_once', name: 'Allow' },
    ...(always === undefined ? [] : [{ kind: 'allow_always', optionId: 'allow_always', name: always } as const]),
    { kind: 'reject_once', optionId: 'reject_once', name: 'Reject' },
    { kind: 'reject_always', optionId: 'reject_always', name: 'Reject in this session from now on' },
  ]
}
