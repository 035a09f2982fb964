import type { ContentBlock, JsonValue } from '../cards/index.js'
import type { ToolAgent, ToolExecutionResult } from '../registry/types.js'
import type { StopReason } from '../session/events.js'

/** A call that a driver wants run. `id` is the driver's own (a model's); the turn loop gives the session-wide one. */
export interface DriverCall {
  id?: string
  name: string
  /** JSON text or a value, as it came. */
  arguments: JsonValue
  origin: 'user' | 'model'
}

/** What a driver yields. After `calls` the generator receives one result per call, in the order of the calls. */
export type DriverStep =
  | { type: 'text'; messageId: string; text: string }
  | { type: 'thought'; messageId: string; text: string }
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
  /** Aborted by cancel, close and disconnect. A driver stops soon after; what it yields later is dropped. */
  signal: AbortSignal
}

/** What decides the next tool call: the console, a model, or a recording. One driver serves many sessions at once. */
export interface Driver {
  run(turn: DriverTurn): AsyncGenerator<DriverStep, StopReason, ToolExecutionResult[] | undefined>
  /** Session commands and tool lines to advertise to the editor. */
  commands?(agent: Omit<ToolAgent, 'origin'>): DriverCommand[]
}

/** One entry of the editor's slash menu. `hint` present if and only if the command needs an argument. */
export interface DriverCommand {
  name: string
  description: string
  hint?: string
}
