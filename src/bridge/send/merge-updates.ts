import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { serializedBytes } from '../wire/serialized-size.js'
import { MAX_CHUNK_BYTES } from '../wire/wire-limits.js'

type Update = Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>

interface OutputMeta {
  terminal_id: string
  data: string
}

/**
 * One update in the place of two of the same call that stand one after the other, if the client ends with the same: terminal
 * output joined up to a usual size, or content that the later one replaces. Undefined if they must stay apart.
 */
export function mergeUpdates(first: SessionUpdate, second: SessionUpdate): SessionUpdate | undefined {
  if (first.sessionUpdate !== 'tool_call_update' || second.sessionUpdate !== 'tool_call_update') return undefined
  if (first.toolCallId !== second.toolCallId || first.status !== second.status) return undefined
  if (hasOnly(first, 'content') && hasOnly(second, 'content')) return second
  return mergeOutput(first, second)
}

/** How long the terminal output is that is all an update brings; undefined for other updates. */
export function outputLength(update: SessionUpdate): number | undefined {
  if (update.sessionUpdate !== 'tool_call_update' || !hasOnly(update, '_meta')) return undefined
  return outputOf(update)[1]?.data.length
}

function mergeOutput(first: Update, second: Update): Update | undefined {
  if (!hasOnly(first, '_meta') || !hasOnly(second, '_meta')) return undefined
  const [key, head] = outputOf(first)
  const [otherKey, tail] = outputOf(second)
  if (!head || !tail || key === undefined || key !== otherKey) return undefined
  if (head.data.length + tail.data.length > MAX_CHUNK_BYTES) return undefined
  const data = head.data + tail.data
  if (data.length * 6 > MAX_CHUNK_BYTES && serializedBytes(data) > MAX_CHUNK_BYTES) return undefined
  return { ...second, _meta: { [key]: { ...tail, data } } }
}

function outputOf({ _meta }: Update): [key?: string, output?: OutputMeta] {
  const [key, ...others] = Object.keys(_meta ?? {})
  const isOutput = key === 'terminal_output' || key === 'terminal_output_delta'
  return isOutput && others.length === 0 ? [key, _meta?.[key] as OutputMeta] : []
}

function hasOnly(update: Update, field: 'content' | '_meta'): boolean {
  return Object.keys(update).every(
    key => key === field || key === 'sessionUpdate' || key === 'toolCallId' || key === 'status',
  )
}
