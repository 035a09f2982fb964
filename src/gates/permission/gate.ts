import type { Context } from 'cordis'
import { HarnessError } from '../../cards/index.js'
import {
  type ActiveExecution,
  type ApprovalAnswer,
  type Approver,
  failedResult,
  type ToolAgent,
  type ToolExecutionResult,
} from '../../registry/index.js'
import type { Permissions } from './permissions.js'
import { type Desk, rememberAlways, rememberRejection } from './remember.js'
import type { Admission } from './session-state.js'
import type { CallVerdict } from './verdict.js'
import { toAlwaysLabel, toDenial, toUnasked, toUserRefusal } from './wording.js'

type Asking = Extract<CallVerdict, { decision: 'ask' }>

/** The listener of tools/execute: lets a call through, refuses it, or asks the user first. */
export function createGate(ctx: Context, permissions: Permissions) {
  const { get } = ctx
  const desk = { permissions, approver: () => get('approver') }
  return async (exec: ActiveExecution, next: () => Promise<ToolExecutionResult>): Promise<ToolExecutionResult> => {
    const admission = await admit(desk, exec)
    if (admission.type === 'refused') return failedResult(exec.callId, admission.error, 'LISTENER_FAILED')
    const { agent } = exec
    if (agent && admission.granted.length > 0) {
      exec.agent = { ...agent, granted: [...(agent.granted ?? []), ...admission.granted] }
    }
    return next()
  }
}

async function admit(desk: Desk, exec: ActiveExecution): Promise<Admission> {
  const { agent } = exec
  try {
    const session = agent && desk.permissions.session(agent.sessionId)
    const order = session?.nextOrder() ?? 0
    const moment = session?.questions.moment
    const verdict = await desk.permissions.decide(exec)
    if (verdict.decision !== 'ask') return toAdmission(verdict)
    const approver = desk.approver()
    if (!agent || !approver) return { type: 'refused', error: toUnasked(verdict.because) }
    return await askFor(desk, { exec, agent, approver, order, moment, first: verdict })
  } catch (error) {
    return { type: 'refused', error }
  }
}

interface AskedCall {
  exec: ActiveExecution
  agent: ToolAgent
  approver: Approver
  order: number
  /** The queue's when `first` was decided. */
  moment: number | undefined
  first: Asking
}

async function askFor(desk: Desk, { exec, agent, approver, order, moment, first }: AskedCall): Promise<Admission> {
  const { permissions } = desk
  let question = first
  const { questions } = permissions.session(agent.sessionId)
  let isDecided = moment !== undefined && moment === questions.moment
  const decide = async () => {
    const verdict = await permissions.decide(exec)
    if (verdict.decision !== 'ask') return toAdmission(verdict)
    question = verdict
    return undefined
  }
  const end = await questions.run({
    signal: exec.signal,
    order,
    decide: async () => {
      if (!isDecided) return decide()
      isDecided = false
      return undefined
    },
    ask: async signal => {
      const asked = question
      const answer = await ask(approver, exec, asked, signal)
      switch (answer) {
        case 'cancelled':
          return stopped()
        case 'allow_always':
          await rememberAlways(desk, agent, asked.always)
          break
        case 'allow_once':
          break
        case 'reject_always':
          rememberRejection(desk, agent, asked.subjects)
          return { type: 'refused', error: toUserRefusal(asked.because) }
        default:
          return { type: 'refused', error: toUserRefusal(asked.because) }
      }
      // The answer is to what was asked: a rule of meanwhile still wins, and what has changed meanwhile asks anew.
      const now = await decide()
      if (now?.type === 'refused') return now
      const isSame = now !== undefined || question.subjects.every(subject => asked.subjects.includes(subject))
      return isSame ? { type: 'admitted', granted: asked.granted } : undefined
    },
  })
  return end.type === 'settled' ? end.value : stopped()
}

function ask(approver: Approver, exec: ActiveExecution, asked: Asking, signal: AbortSignal): Promise<ApprovalAnswer> {
  const always = toAlwaysLabel(asked.always)
  return approver.ask({
    exec,
    reason: asked.because,
    ...(always === undefined ? {} : { always }),
    subjects: asked.subjects,
    signal,
  })
}

function toAdmission(verdict: Exclude<CallVerdict, Asking>): Admission {
  if (verdict.decision === 'deny') return { type: 'refused', error: toDenial(verdict.because) }
  return { type: 'admitted', granted: verdict.granted }
}

function stopped(): Admission {
  const error = new HarnessError('ABORTED_BEFORE_DISPATCH', 'The call was stopped while it waited for an answer.')
  return { type: 'refused', error }
}
