import type { ContentBlock, JsonValue, PlanEntry } from '../cards/index.js'
import type { ToolErrorInfo } from '../registry/types.js'

/** ACP's stop reasons that a turn of ours can end with. */
export type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'cancelled'

/** What happens in a session, in order. A record is written before its effect is shown. */
export type SessionEvent =
  | { type: 'turn/start'; turnId: string }
  /** `error` is set when the turn ended by a failure of ours. */
  | { type: 'turn/end'; turnId: string; stopReason: StopReason; error?: string }
  | { type: 'user/message'; messageId: string; content: ContentBlock[] }
  /** Pieces with one messageId make one message; each is written as it is sent. */
  | { type: 'assistant/message'; messageId: string; text: string }
  | { type: 'assistant/thought'; messageId: string; text: string }
  /** An early card: the arguments have not all arrived. */
  | { type: 'tool/start'; callId: string; name: string; arguments: { [key: string]: JsonValue } }
  /** `arguments` is the raw text or value as it came. `modelCallId` is the model's own id, which it may reuse. */
  | {
      type: 'tool/call'
      callId: string
      name: string
      arguments: JsonValue
      origin: 'user' | 'model'
      modelCallId?: string
    }
  /** The gates have let the call through; its body runs. */
  | { type: 'tool/running'; callId: string }
  /** `output` is decoded text that is appended to the terminal; `content` replaces the card's content. */
  | { type: 'tool/progress'; callId: string; output?: string; content?: ContentBlock[] }
  /** Exactly one for each tool/call; what was streamed by tool/progress is not repeated for the card. */
  | {
      type: 'tool/result'
      callId: string
      content: ContentBlock[]
      isError: boolean
      error?: ToolErrorInfo
      meta?: JsonValue
    }
  | { type: 'plan'; entries: PlanEntry[] }
  | { type: 'session/config'; mode?: string; model?: string; cwd?: string; roots?: string[]; title?: string }
  | { type: 'permission/asked'; callId: string; question: string }
  /** `subjects`, with a reject_always: what it refuses from then on. */
  | { type: 'permission/answered'; callId: string; answer: string; subjects?: string[] }
  /** A line in the thread that is no part of the conversation: no model is told. */
  | { type: 'note'; messageId: string; text: string }
  | { type: 'compaction'; summary: string }

/** First line of a log. `roots` are absolute, cwd first. `created` is ISO 8601. */
export interface SessionHeader {
  type: 'session'
  version: 1
  id: string
  cwd: string
  roots: string[]
  created: string
}

/** An event as logged: `at` is milliseconds since the epoch. */
export type LoggedEvent = SessionEvent & { at: number }
