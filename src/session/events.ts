import type { ContentBlock, JsonValue, PlanEntry } from '../cards/index.js'
import type { PresentedBy, ToolErrorInfo } from '../registry/types.js'

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
  /** `meta` closes a thought: what its model wants back with it, if it gets it back (see AssistantPart). */
  | { type: 'assistant/thought'; messageId: string; text: string; meta?: JsonValue }
  /** Told to the model as the user's, shown to nobody: the text of a skill that the user has called. */
  | { type: 'context'; content: ContentBlock[] }
  /** An early card: the arguments have not all arrived. */
  | {
      type: 'tool/start'
      callId: string
      name: string
      arguments: { [key: string]: JsonValue }
      presentedBy?: PresentedBy
    }
  /**
   * `arguments` is the raw text or value as it came. `modelCallId` is the model's own id, which it may reuse. `presentedBy`
   * makes the cards of a tool that may not be there when the log is read; as logged it may be anything.
   */
  | {
      type: 'tool/call'
      callId: string
      name: string
      arguments: JsonValue
      origin: 'user' | 'model'
      modelCallId?: string
      presentedBy?: PresentedBy
      /** What the model wants back with the call. */
      meta?: JsonValue
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
  | {
      type: 'session/config'
      mode?: string
      model?: string
      thinkingLevel?: string
      cwd?: string
      roots?: string[]
      title?: string
    }
  | { type: 'permission/asked'; callId: string; question: string }
  /** `subjects`, with a reject_always: what it refuses from then on. */
  | { type: 'permission/answered'; callId: string; answer: string; subjects?: string[] }
  /** A line in the thread that is no part of the conversation: no model is told. */
  | { type: 'note'; messageId: string; text: string }
  /** After a request to a model. In tokens; `size` is the model's window, `cost` the session's so far in US dollars. */
  | { type: 'usage'; used: number; size?: number; cost?: number }
  /**
   * The model is told `summary` in the place of everything before. `keepsPrompt`: the user's last message, which has no
   * answer yet, stays with what follows it.
   */
  | { type: 'compaction'; summary: string; compactionId?: string; keepsPrompt?: boolean }
  /** The model is told no more of tool results before call `before` that are longer than `maxChars`: only that there was one. */
  | { type: 'elision'; before: string; maxChars: number }

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
