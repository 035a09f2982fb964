import type { ContentBlock, JsonValue } from '../cards/index.js'
import type { ToolAgent, ToolExecutionResult } from '../registry/types.js'
import type { StopReason } from '../session/events.js'
import type { History } from '../session/index.js'

/** A call that a driver wants run. `id` is the driver's own (a model's); the turn loop gives the session-wide one. */
export interface DriverCall {
  id?: string
  name: string
  /** JSON text or a value, as it came. */
  arguments: JsonValue
  origin: 'user' | 'model'
  /** What the model wants back with the call when it gets the conversation again. */
  meta?: JsonValue
}

/** What a driver yields. After `calls` the generator receives one result per call, in the order of the calls. */
export type DriverStep =
  | { type: 'text'; messageId: string; text: string }
  /** `meta` closes the thought; its text may be empty then. */
  | { type: 'thought'; messageId: string; text: string; meta?: JsonValue }
  /** For the user and no part of the conversation: what went wrong. */
  | { type: 'note'; text: string }
  /** For the user while it lasts: a wait. Not recorded where the client takes notices. */
  | { type: 'notice'; text: string }
  /** For the model and not shown. */
  | { type: 'context'; content: ContentBlock[] }
  /** See the events of these names. */
  | { type: 'usage'; used: number; size?: number; cost?: number }
  | { type: 'compaction'; summary: string; compactionId: string; keepsPrompt?: boolean }
  | { type: 'elision'; before: string; maxChars: number }
  /**
   * Arguments of call `id` are streaming; `arguments` holds the complete top-level keys. The next `calls` settles all that
   * were started: an id that is not among its calls is closed as never made.
   */
  | { type: 'call-start'; id: string; name: string; arguments: { [key: string]: JsonValue } }
  | { type: 'calls'; calls: DriverCall[] }

export interface DriverTurn {
  /** The user's prompt, mentions included. */
  prompt: readonly ContentBlock[]
  agent: Omit<ToolAgent, 'origin'>
  /** The conversation so far, the prompt included. It has taken each step's events when the driver goes on. */
  history: History
  /** As they are at the start of the turn. */
  settings: TurnSettings
  /** Aborted by cancel, close and disconnect. A driver stops soon after; what it yields later is dropped. */
  signal: AbortSignal
}

/** What the session has chosen; absent is the default. */
export interface TurnSettings {
  /** `provider/model`. */
  model?: string
  thinkingLevel?: string
}

/** Steps of a driver, and what they come to. */
export type DriverRun<T> = AsyncGenerator<DriverStep, T, ToolExecutionResult[] | undefined>

/** What decides the next tool call: the console, a model, or a recording. One driver serves many sessions at once. */
export interface Driver {
  run(turn: DriverTurn): DriverRun<StopReason>
  /** Session commands and tool lines to advertise to the editor. */
  commands?(agent: Omit<ToolAgent, 'origin'>): DriverCommand[] | Promise<DriverCommand[]>
  /** Loads what a first prompt will need and runs it in memory, before there is one; ends early at the signal. Never rejects. */
  warm?(signal: AbortSignal): Promise<void>
}

/** One entry of the editor's slash menu. `hint` present if and only if the command needs an argument. */
export interface DriverCommand {
  name: string
  description: string
  hint?: string
}
