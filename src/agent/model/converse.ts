import { hasErrorCode, isHarnessError } from '../../cards/index.js'
import type { SessionTools, ToolSchema } from '../../registry/index.js'
import type { StopReason } from '../../session/events.js'
import type { DriverRun, DriverTurn } from '../driver.js'
import { compact } from './compact.js'
import { isNearLimit } from './context-room.js'
import type { Conversation } from './conversation.js'
import { runModelStep, type StepOutcome } from './model-step.js'
import type { Model } from './provider/index.js'
import { untilAbort } from './until-abort.js'
import { toUsageStep } from './usage.js'

export interface ConverseOptions {
  turn: DriverTurn
  model: Model
  tools: Pick<SessionTools, 'presentPartial'>
  conversation: Conversation
  /** The system prompt and the tools, as they are now. */
  assemble(): Promise<{ system: string; tools: ToolSchema[] }>
  /** Requests to the model in one turn. */
  maxSteps: number
}

/** A shortened conversation gets so many requests before it is shortened again. */
const STEPS_BETWEEN_COMPACTIONS = 4

/** Answers of such an end hold no whole calls. */
const CUT = new Set(['length', 'content-filter', 'error'])

/** Lets the model answer and call tools until it stops. Throws MODEL_AUTH, and the signal's reason. */
export async function* converse(options: ConverseOptions): DriverRun<StopReason> {
  const { turn, model, tools, conversation, assemble, maxSteps } = options
  const { history, signal, settings } = turn
  let compactedAt = Number.NEGATIVE_INFINITY
  let hasFailed = false
  let hasAnswered = false
  for (let step = 0; step < maxSteps; step++) {
    const when = hasAnswered ? 'work' : 'prompt'
    if (step - compactedAt > STEPS_BETWEEN_COMPACTIONS && isNearLimit(history, model)) {
      compactedAt = step
      yield* compact({ history, model, signal, when, mayElide: true })
    }
    const { system, tools: schemas } = await untilAbort(assemble(), signal)
    const request = {
      system,
      prompt: conversation.toPrompt(model.id),
      tools: schemas,
      ...(settings.thinkingLevel ? { thinkingLevel: settings.thinkingLevel } : {}),
    }
    const outcome = yield* runModelStep(model, request, tools, signal)
    const usage = toUsageStep(outcome.usage, model, history)
    if (usage) yield usage

    const { calls, reason, error, hasText } = outcome
    if (error === undefined && calls.length > 0 && !CUT.has(reason ?? '')) {
      hasFailed = false
      hasAnswered = true
      yield { type: 'calls', calls }
      continue
    }
    if (outcome.hasCards) yield { type: 'calls', calls: [] }
    if (error === undefined) return yield* end(outcome, hasAnswered)

    if (hasErrorCode(error, 'MODEL_CONTEXT_TOO_LONG') && compactedAt !== step - 1) {
      compactedAt = step
      if (yield* compact({ history, model, signal, when, mayElide: false })) continue
    } else if (isBreak(error) && !hasText && !hasFailed) {
      // Nothing that counts was said, so it can be said again.
      hasFailed = true
      yield { type: 'notice', text: 'The answer broke off. Asking again.' }
      continue
    }
    return yield* fail(error, hasText)
  }
  yield { type: 'note', text: `The turn ended after ${maxSteps} requests to the model. Send a prompt to go on.` }
  return 'max_turn_requests'
}

function isBreak(error: unknown): boolean {
  return hasErrorCode(error, 'MODEL_STREAM_DROPPED') || hasErrorCode(error, 'MODEL_TIMEOUT')
}

async function* end({ reason, hasText }: StepOutcome, hasAnswered: boolean): DriverRun<StopReason> {
  switch (reason) {
    case 'length':
      return 'max_tokens'
    case 'content-filter':
      yield {
        type: 'note',
        text: "The model's provider stopped this answer for its content. Word the prompt differently.",
      }
      return 'end_turn'
    case 'error':
      yield { type: 'note', text: 'The model ended its answer with an error. Send the prompt again.' }
      return 'end_turn'
    default:
      if (!hasText && !hasAnswered) yield { type: 'note', text: 'The model gave an empty answer.' }
      return 'end_turn'
  }
}

async function* fail(error: unknown, hasText: boolean): DriverRun<StopReason> {
  if (!isHarnessError(error) || error.code === 'MODEL_AUTH') throw error
  const more = hasText && isBreak(error) ? ' What came of it stays; send "go on" to continue.' : ''
  yield { type: 'note', text: `${error.message}${more}` }
  return 'end_turn'
}
