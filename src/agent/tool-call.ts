import { failedResult, type SessionTools, ToolArgsError } from '../registry/index.js'
import type { PresentedBy, ToolExecutionResult, ToolProgress } from '../registry/types.js'
import { createOutputStream } from '../session/index.js'
import { findCommandTooLong } from './command-limit.js'
import type { DriverCall, DriverTurn } from './driver.js'
import { LatestContent } from './latest-content.js'
import { toPlan } from './plan.js'
import type { TurnRecorder } from './turn-recorder.js'

export type TurnTools = Pick<SessionTools, 'execute' | 'presentCall'> &
  Partial<Pick<SessionTools, 'isConcurrencySafe' | 'presentedBy'>>

/** What the calls of one turn share. */
export interface CallContext {
  tools: TurnTools
  agent: DriverTurn['agent']
  signal: AbortSignal
  recorder: TurnRecorder
}

/** Runs a call that has been announced, and records all of it up to its one result. Never rejects. */
export async function runToolCall(
  context: CallContext,
  callId: string,
  call: DriverCall,
): Promise<ToolExecutionResult> {
  const { recorder } = context
  const output = createOutputStream({
    emit: text => void recorder.record({ type: 'tool/progress', callId, output: text }),
  })
  const content = new LatestContent(blocks => void recorder.record({ type: 'tool/progress', callId, content: blocks }))
  const onProgress = (progress: ToolProgress) => {
    if ('output' in progress) output.write(progress.output)
    else content.put(progress.content)
  }
  const result = await execute(context, callId, call, onProgress)
  content.end()
  output.end()
  await recordResult(recorder, result)
  const plan = toPlan(result.meta)
  if (plan !== undefined) await recorder.record({ type: 'plan', entries: plan })
  return result
}

/** What an event of a call says of its cards. */
export function toPresentedBy(tools: TurnTools, name: string): { presentedBy?: PresentedBy } {
  const presentedBy = tools.presentedBy?.(name)
  return presentedBy === undefined ? {} : { presentedBy }
}

export function recordResult(recorder: TurnRecorder, result: ToolExecutionResult): Promise<void> {
  return recorder.record({ type: 'tool/result', ...result })
}

async function execute(
  { tools, agent, signal, recorder }: CallContext,
  callId: string,
  call: DriverCall,
  onProgress: (progress: ToolProgress) => void,
): Promise<ToolExecutionResult> {
  const { name, arguments: args, origin } = call
  try {
    const tooLong = findCommandTooLong(tools.presentCall(name, args))
    if (tooLong !== undefined) return failedResult(callId, new ToolArgsError(name, [tooLong]))
    const result = await tools.execute({
      callId,
      name,
      arguments: args,
      agent: { ...agent, origin },
      signal,
      onStart: () => void recorder.record({ type: 'tool/running', callId }),
      onProgress,
    })
    return { ...result, callId }
  } catch (error) {
    return failedResult(callId, error)
  }
}
