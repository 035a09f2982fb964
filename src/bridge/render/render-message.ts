import type { ContentBlock as AcpContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import { type ContentBlock, oneLine, type PlanEntry } from '../../cards/index.js'
import { headSerialized, jsonBytes, splitSerialized } from '../wire/serialized-size.js'
import { ENVELOPE_BYTES, MAX_CHUNK_BYTES, MAX_MESSAGE_BYTES } from '../wire/wire-limits.js'
import { fitContent, toWireBlock } from './render-content.js'

type ChunkKind = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk'

const MAX_PLAN_TEXT_BYTES = 1024
const MAX_PLAN_ENTRIES = 500
const MAX_SESSION_TITLE_LENGTH = 200

/** A piece of text of one message, in chunks of a usual size under its messageId. */
export function toTextChunks(sessionUpdate: ChunkKind, messageId: string, text: string): SessionUpdate[] {
  return splitSerialized(text, MAX_CHUNK_BYTES).map(piece => ({
    sessionUpdate,
    messageId,
    content: { type: 'text', text: piece },
  }))
}

/** The user's message as it is sent on replay: every block, under one messageId. */
export function toUserChunks(messageId: string, blocks: readonly ContentBlock[]): SessionUpdate[] {
  return blocks.flatMap(block => {
    if (block.type === 'text') return toTextChunks('user_message_chunk', messageId, block.text)
    return [{ sessionUpdate: 'user_message_chunk', messageId, content: fitBlock(toWireBlock(block)) }]
  })
}

/** The whole plan; one that no message can hold is shortened. */
export function toPlan(entries: readonly PlanEntry[]): SessionUpdate {
  const plain = entries.map(({ content, status, priority }) => ({ content, status, priority }))
  if (jsonBytes(plain) <= MAX_MESSAGE_BYTES - ENVELOPE_BYTES) return { sessionUpdate: 'plan', entries: plain }
  const short = plain
    .slice(0, MAX_PLAN_ENTRIES)
    .map(entry => ({ ...entry, content: headSerialized(entry.content, MAX_PLAN_TEXT_BYTES) }))
  return { sessionUpdate: 'plan', entries: short }
}

/** The session's title, on one line. */
export function toSessionTitle(title: string): SessionUpdate {
  return { sessionUpdate: 'session_info_update', title: oneLine(title, MAX_SESSION_TITLE_LENGTH) }
}

/** How full the model's window is, and what the session has cost. */
export function toUsage({ used, size, cost }: { used: number; size: number; cost?: number }): SessionUpdate {
  return {
    sessionUpdate: 'usage_update',
    used,
    size,
    ...(cost === undefined ? {} : { cost: { amount: cost, currency: 'USD' } }),
  }
}

/** A conversation that goes on from a summary. */
export function toCompaction(compactionId: string, summary: string): SessionUpdate {
  const text = headSerialized(summary, MAX_CHUNK_BYTES)
  const content = [{ type: 'text' as const, text: text.length < summary.length ? `${text}…` : text }]
  return { sessionUpdate: 'compaction_update', compactionId, status: 'completed', summary: content }
}

function fitBlock(content: AcpContentBlock): AcpContentBlock {
  const [fitted] = fitContent([{ type: 'content', content }], MAX_MESSAGE_BYTES - ENVELOPE_BYTES)
  return fitted?.type === 'content' ? fitted.content : content
}
