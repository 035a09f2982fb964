import { randomUUID } from 'node:crypto'
import { type ContentBlock, HarnessError, isHarnessError } from '../cards/index.js'
import type { ToolExecutionResult } from '../registry/types.js'
import type { SessionEvent, StopReason } from '../session/events.js'
import { History } from '../session/index.js'
import type { Driver, DriverStep, DriverTurn, TurnSettings } from './driver.js'
import { DriverSteps } from './driver-steps.js'
import { EarlyCalls } from './early-calls.js'
import { runCalls } from './run-calls.js'
import { toTextPieces } from './text-pieces.js'
import { type CallContext, recordResult, type TurnTools, toPresentedBy } from './tool-call.js'
import { TurnRecorder } from './turn-recorder.js'

export interface TurnOptions {
  tools: TurnTools
  driver: Driver
  agent: DriverTurn['agent']
  prompt: readonly ContentBlock[]
  turnId: string
  /** Cancel, close and disconnect. */
  signal: AbortSignal
  /** Gets the events in order, each when the one before is done. A failure ends the turn. */
  emit(event: SessionEvent): void | Promise<void>
  /** The session's conversation; the turn adds its events. Default: one that is empty. */
  history?: History
  /** Default: nothing chosen. */
  settings?: TurnSettings
  /** Shows a line for a while; false if the client cannot, and it is then recorded as a thought. Default: it cannot. */
  notify?(text: string): boolean
  /** Gives an id that no call of the session has had. */
  nextCallId(): string
  /** How long a driver may take to settle after the signal. Default 1,000. */
  driverGraceMs?: number
}

/** `error` is set if the driver or the recording failed; a cancelled turn has none. */
export interface TurnOutcome {
  stopReason: StopReason
  error?: HarnessError
}

/** Runs one prompt from turn/start to turn/end. Never rejects. */
export async function runTurn(options: TurnOptions): Promise<TurnOutcome> {
  const { turnId, signal } = options
  const stop = new AbortController()
  const history = options.history ?? new History()
  let logError: HarnessError | undefined
  const emit = async (event: SessionEvent) => {
    await options.emit(event)
    history.add(event)
  }
  const recorder = new TurnRecorder(emit, error => {
    logError = error
    stop.abort(error)
  })
  const onAbort = () => stop.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  await recorder.record({ type: 'turn/start', turnId })
  await recorder.record({ type: 'user/message', messageId: randomUUID(), content: [...options.prompt] })
  const driven = await drive({ ...options, history }, recorder, stop.signal)
  signal.removeEventListener('abort', onAbort)

  const outcome = toOutcome(signal.aborted, logError ?? driven.error, driven.stopReason)
  const error = outcome.error === undefined ? {} : { error: outcome.error.message }
  await recorder.end({ type: 'turn/end', turnId, stopReason: outcome.stopReason, ...error })
  // The end itself may be what could not be recorded.
  return toOutcome(outcome.stopReason === 'cancelled', logError ?? outcome.error, outcome.stopReason)
}

function toOutcome(cancelled: boolean, error: HarnessError | undefined, stopReason: StopReason): TurnOutcome {
  if (cancelled) return { stopReason: 'cancelled' }
  return error === undefined ? { stopReason } : { stopReason: 'end_turn', error }
}

/** Asks the driver for steps until it ends, fails, or the signal is aborted. */
async function drive(
  options: TurnOptions & { history: History },
  recorder: TurnRecorder,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  if (signal.aborted) return { stopReason: 'cancelled' }
  const { tools, driver, prompt, turnId, history, settings = {}, notify = () => false, driverGraceMs = 1000 } = options
  const agent = { ...options.agent, turnId }
  const context: CallContext = { tools, agent, signal, recorder }
  const early = new EarlyCalls(options.nextCallId)
  let steps: DriverSteps | undefined
  try {
    steps = new DriverSteps(driver, { prompt, agent, history, settings, signal }, driverGraceMs)
    let results: ToolExecutionResult[] | undefined
    for (;;) {
      const next = await steps.next(results)
      if (next === undefined || signal.aborted) return { stopReason: 'cancelled' }
      if (next.done) return { stopReason: next.value }
      results = await runStep(next.value, context, early, notify)
      if (signal.aborted) return { stopReason: 'cancelled' }
    }
  } catch (cause) {
    if (signal.aborted) return { stopReason: 'cancelled' }
    const error = toDriverError(cause)
    await recorder.record({ type: 'note', messageId: randomUUID(), text: error.message })
    return { stopReason: 'end_turn', error }
  } finally {
    await steps?.close()
    for (const result of early.closeRest()) await recordResult(recorder, result)
  }
}

async function runStep(
  step: DriverStep,
  context: CallContext,
  early: EarlyCalls,
  notify: (text: string) => boolean,
): Promise<ToolExecutionResult[] | undefined> {
  const { recorder, signal, tools } = context
  switch (step.type) {
    case 'text':
    case 'thought': {
      const type = step.type === 'text' ? 'assistant/message' : 'assistant/thought'
      const { messageId } = step
      for (const text of toTextPieces(step.text)) {
        if (!signal.aborted) await recorder.record({ type, messageId, text })
      }
      if (step.type === 'thought' && step.meta !== undefined) {
        await recorder.record({ type: 'assistant/thought', messageId, text: '', meta: step.meta })
      }
      return undefined
    }
    case 'notice':
      if (notify(step.text)) return undefined
      await recorder.record({ type: 'assistant/thought', messageId: randomUUID(), text: `${step.text}\n` })
      return undefined
    case 'note': {
      const messageId = randomUUID()
      for (const text of toTextPieces(step.text)) await recorder.record({ type: 'note', messageId, text })
      return undefined
    }
    case 'call-start': {
      const callId = early.start(step.id)
      const { name, arguments: args } = step
      await recorder.record({ type: 'tool/start', callId, name, arguments: args, ...toPresentedBy(tools, name) })
      return undefined
    }
    case 'calls':
      return runCalls(step.calls, context, early)
    case 'context':
    case 'usage':
    case 'compaction':
    case 'elision':
      await recorder.record(step)
      return undefined
  }
}

function toDriverError(cause: unknown): HarnessError {
  if (isHarnessError(cause)) return cause
  // The first line only: a stack is for nobody who reads the thread.
  const message = cause instanceof Error ? cause.message : String(cause)
  const reason = (message.split('\n')[0] ?? '').slice(0, 300).trim() || 'it gave no reason'
  return new HarnessError('DRIVER_FAILED', `This turn ended early, because something in the agent failed: ${reason}`, {
    cause,
  })
}
