import type { ToolExecutionResult } from '../registry/types.js'
import type { SessionEvent } from '../session/events.js'
import type { DriverCall } from './driver.js'
import type { EarlyCalls } from './early-calls.js'
import { type CallContext, recordResult, runToolCall, toPresentedBy } from './tool-call.js'

/** Calls that run at the same time; a model that asks for more gets them in several goes. */
const MAX_TOGETHER = 16

interface AnnouncedCall {
  call: DriverCall
  callId: string
}

/**
 * Runs the calls of one step: all cards are there before the first runs. Neighbours that are safe together run together,
 * any other alone, so that effects come in the order of the calls. Results are in that order too.
 */
export async function runCalls(
  calls: readonly DriverCall[],
  context: CallContext,
  early: EarlyCalls,
): Promise<ToolExecutionResult[]> {
  const { recorder } = context
  const announced = calls.map(call => ({ call, callId: early.take(call.id) }))
  for (const result of early.closeRest()) await recordResult(recorder, result)
  for (const { call, callId } of announced) await recorder.record(toCallEvent(context, callId, call))
  const results: ToolExecutionResult[] = []
  for (const group of toGroups(announced, context)) {
    results.push(...(await Promise.all(group.map(({ call, callId }) => runToolCall(context, callId, call)))))
  }
  return results
}

function toGroups(announced: readonly AnnouncedCall[], { tools }: CallContext): AnnouncedCall[][] {
  const groups: AnnouncedCall[][] = []
  let isOpen = false
  for (const entry of announced) {
    const last = groups.at(-1)
    const isSafe = tools.isConcurrencySafe?.(entry.call.name, entry.call.arguments) ?? false
    if (last && isOpen && isSafe && last.length < MAX_TOGETHER) last.push(entry)
    else groups.push([entry])
    isOpen = isSafe
  }
  return groups
}

function toCallEvent(
  { tools }: CallContext,
  callId: string,
  { id, name, arguments: args, origin, meta }: DriverCall,
): SessionEvent {
  return {
    type: 'tool/call',
    callId,
    name,
    arguments: args,
    origin,
    ...(id === undefined ? {} : { modelCallId: id }),
    ...toPresentedBy(tools, name),
    ...(meta === undefined ? {} : { meta }),
  }
}
