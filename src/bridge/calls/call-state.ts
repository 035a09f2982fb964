import type { ContentBlock, JsonValue, PlanEntry, ToolCallView, ToolResultView } from '../../cards/index.js'
import type { PresentedBy, ToolResult } from '../../registry/types.js'
import type { CallOutput } from './call-output.js'
import type { LastText } from './last-text.js'

/** Where the cards come from: the tools' own presenters. May throw or return nonsense; the call then has no view. */
export interface Presenter {
  presentCall(name: string, args: JsonValue, presentedBy?: PresentedBy): ToolCallView | undefined
  /** While the arguments stream: `partial` holds the complete top-level keys. */
  presentPartial(
    name: string,
    partial: { [key: string]: JsonValue },
    presentedBy?: PresentedBy,
  ): ToolCallView | undefined
  presentResult(
    name: string,
    args: JsonValue,
    result: ToolResult,
    presentedBy?: PresentedBy,
  ): ToolResultView | undefined
}

/** The directories in force when a call came. */
export interface CallPlace {
  readonly cwd: string
  readonly roots: readonly string[]
}

export type CallEnd =
  | { readonly type: 'result'; readonly result: CallResult; readonly view?: ToolResultView }
  /** The log or the turn ended without a result. */
  | { readonly type: 'interrupted' }

interface CallResult extends ToolResult {
  readonly code?: string
}

/** The picture of one call: all that any card of it is made from. */
export interface CallState {
  readonly callId: string
  readonly name: string
  readonly place: CallPlace
  /** Parsed if they came as JSON text, else as they came. */
  readonly arguments: JsonValue
  /** As the event had it: it may be anything. */
  readonly presentedBy?: PresentedBy
  /** What the tool says; absent means the generic card of last resort. */
  readonly view?: ToolCallView
  /** A card went out before the arguments were whole: a terminal can no longer be attached to it. */
  readonly early: boolean
  /** The arguments are whole. */
  readonly called: boolean
  /** The body has started. */
  readonly ran: boolean
  /** The user was asked about this call. */
  readonly asked: boolean
  readonly output: CallOutput
  /** What progress last put in the place of the card's content. */
  readonly content?: readonly ContentBlock[]
  readonly end?: CallEnd
}

/** All calls without a result, and the directories in force now. */
export interface SessionState {
  readonly place: CallPlace
  readonly calls: ReadonlyMap<string, CallState>
  /** Undefined where the thread ends in something else. */
  readonly lastText: LastText | undefined
}

/** What a session event changes for the one who watches. */
export type SessionChange =
  | { type: 'call/shown' | 'call/refined' | 'call/running' | 'call/ended'; call: CallState }
  | { type: 'call/content'; call: CallState }
  /** `data` is appended to what was streamed before; empty once the output is over its limit. */
  | { type: 'call/output'; call: CallState; data: string }
  | { type: 'user'; messageId: string; content: readonly ContentBlock[] }
  | { type: 'message' | 'thought'; messageId: string; text: string }
  | { type: 'plan'; entries: readonly PlanEntry[] }
  | { type: 'title'; title: string }
  /** Tokens, and US dollars. */
  | { type: 'usage'; used: number; size: number; cost?: number }
  | { type: 'compaction'; compactionId: string; summary: string }
  /** Nothing is shown; `reason` is for the log file. */
  | { type: 'skipped'; callId: string; reason: string }

/** A session before its first event. */
export function emptySession(place: CallPlace): SessionState {
  return { place, calls: new Map(), lastText: undefined }
}
