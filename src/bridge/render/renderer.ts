import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { CallState, SessionChange } from '../calls/call-state.js'
import { toAbsolutePath } from './path-space.js'
import { contentAfterAsking, fitFields, toCardFields, toPermissionCall } from './render-card.js'
import { type ChangeBlocks, toChangeBlocks, toChangeCard, withChangeBlocks } from './render-changes.js'
import { type RenderContext, terminalKey, toPathSpace } from './render-context.js'
import { toCompaction, toPlan, toSessionTitle, toTextChunks, toUsage, toUserChunks } from './render-message.js'
import { toLiveContent } from './render-progress.js'
import { type ResultFields, toResultFields } from './render-result.js'
import { toFencedEnd, toLastOutput, toTerminalEnd, toTerminalOutput } from './render-terminal.js'

/** A change of a session as the client's messages; pure. A user's message gives some too: live ones are not to be sent. */
export function renderChange(change: SessionChange, context: RenderContext): SessionUpdate[] {
  switch (change.type) {
    case 'user':
      return toUserChunks(change.messageId, change.content)
    case 'message':
      return toTextChunks('agent_message_chunk', change.messageId, change.text)
    case 'thought':
      return toTextChunks('agent_thought_chunk', change.messageId, change.text)
    case 'plan':
      return [toPlan(change.entries)]
    case 'title':
      return [toSessionTitle(change.title)]
    case 'usage':
      return [toUsage(change)]
    case 'compaction':
      return context.profile.compaction ? [toCompaction(change.compactionId, change.summary)] : []
    case 'call/shown':
      return [toToolCall(change.call, context)]
    case 'call/refined': {
      const { callId } = change.call
      return [toUpdate({ toolCallId: callId, status: 'pending', ...toCardFields(change.call, context) })]
    }
    case 'call/running':
      return [toRunning(change.call, context)]
    case 'call/output': {
      const key = terminalKey(change.call, context)
      if (key) return toTerminalOutput(change.call, key, change.data).map(toUpdate)
      return [toContentUpdate(change.call, context)]
    }
    case 'call/content':
      return [toContentUpdate(change.call, context)]
    case 'call/ended':
      return toEnd(change.call, context)
    case 'skipped':
      return []
  }
}

/** The call's whole card for session/request_permission, from the same source as its messages. */
export function renderPermissionCall(call: CallState, context: RenderContext): ToolCallUpdate {
  return toPermissionCall(call, context)
}

function toToolCall(call: CallState, context: RenderContext): SessionUpdate {
  const { locations, ...fields } = toCardFields(call, context)
  const info = terminalKey(call, context) ? { terminal_info: toTerminalInfo(call, context) } : {}
  return {
    sessionUpdate: 'tool_call',
    toolCallId: call.callId,
    ...fields,
    status: 'pending',
    ...(locations.length > 0 ? { locations } : {}),
    name: call.name,
    _meta: { tool_name: call.name, ...info },
  }
}

function toTerminalInfo(call: CallState, context: RenderContext) {
  const cwd = call.view?.card === 'terminal' ? call.view.cwd : undefined
  return { terminal_id: call.callId, cwd: toAbsolutePath(toPathSpace(call, context), cwd ?? call.place.cwd) }
}

function toRunning(call: CallState, context: RenderContext): SessionUpdate {
  return toUpdate({ toolCallId: call.callId, status: 'in_progress', ...contentAfterAsking(call, context) })
}

function toContentUpdate(call: CallState, context: RenderContext): SessionUpdate {
  const { content } = fitFields({ content: toLiveContent(call, context) })
  return toUpdate({ toolCallId: call.callId, status: call.ran ? 'in_progress' : 'pending', content })
}

function toEnd(call: CallState, context: RenderContext): SessionUpdate[] {
  const status = call.end?.type === 'result' && !call.end.result.isError ? 'completed' : 'failed'
  const key = terminalKey(call, context)
  const blocks = toChangeBlocks(call, context)
  if (!key) {
    const fields = call.view?.card === 'terminal' ? toFencedEnd(call, context) : toResultFields(call, context)
    return [toFinal(call, status, blocks ? withChangeBlocks(fields, blocks, call, context) : fields, {})]
  }
  const { exit, ...fields } = toTerminalEnd(call, context)
  const output = toTerminalOutput(call, key, toLastOutput(call)).map(toUpdate)
  const final = toFinal(call, status, fields, { terminal_exit: exit })
  return [...output, final, ...(blocks ? toFollowUp(call, blocks, context) : [])]
}

// A client with terminals draws nothing else on a card that has one.
function toFollowUp(call: CallState, blocks: ChangeBlocks, context: RenderContext): SessionUpdate[] {
  const { title, content, locations, hunks } = toChangeCard(blocks, call, context)
  const toolCallId = `${call.callId}-files`
  const shown: SessionUpdate = {
    sessionUpdate: 'tool_call',
    toolCallId,
    title,
    kind: 'edit',
    status: 'pending',
    content,
    ...(locations.length > 0 ? { locations } : {}),
    name: call.name,
    _meta: { tool_name: call.name },
  }
  return [shown, toUpdate({ toolCallId, status: 'completed', ...(hunks ? { _meta: { deckhand: { hunks } } } : {}) })]
}

function toFinal(
  call: CallState,
  status: 'completed' | 'failed',
  { hunks, ...fields }: ResultFields,
  terminal: { terminal_exit?: object },
): SessionUpdate {
  const meta = { ...terminal, ...(hunks ? { deckhand: { hunks } } : {}) }
  const hasMeta = Object.keys(meta).length > 0
  return toUpdate({ toolCallId: call.callId, status, ...fields, ...(hasMeta ? { _meta: meta } : {}) })
}

function toUpdate(update: ToolCallUpdate): SessionUpdate {
  return { sessionUpdate: 'tool_call_update', ...update }
}
