import type { ContentBlock } from './content.js'
import type { ToolKind } from './tool-kind.js'

/** A file a call reads or changes. `line` is 1-based. The path may be relative to the session's cwd. */
export type Location = {
  path: string
  line?: number
}

/**
 * One changed site of a file: an exact slice of its lines with their newlines, LF whatever the file has.
 * `oldText` is null only if the file did not exist; never equal to `newText`.
 * A type alias, as Location and PlanEntry are: only aliases are assignable to JsonValue, and `meta` holds these.
 */
export type FileDiff = {
  path: string
  oldText: string | null
  newText: string
  /** 1-based first changed line on the new side; a pure deletion at the end gives the last line, at least 1. */
  line?: number
}

export interface GenericCallView {
  card: 'generic'
  title: string
  kind?: ToolKind
  /** The salient input for a detail view, not the whole arguments. */
  rawInput?: unknown
  content?: ContentBlock[]
  locations?: Location[]
  /** Paths that stand in the title and are no location: the directory a search walks. */
  paths?: string[]
}

export interface TerminalCallView {
  card: 'terminal'
  /** The command as it is. */
  title: string
  description?: string
  cwd?: string
}

export interface DiffCallView {
  card: 'diff'
  title: string
  diffs: FileDiff[]
  locations?: Location[]
}

/** What a tool says its call looks like before it ran. */
export type ToolCallView = GenericCallView | TerminalCallView | DiffCallView

export interface GenericResultView {
  card: 'generic'
  title?: string
  content?: ContentBlock[]
  /** Replace those of the call: the files of a search's hits, known only now. */
  locations?: Location[]
}

export interface TerminalResultView {
  card: 'terminal'
  title?: string
  /** Ignored when the call streamed its output by progress. */
  output?: string
  exitCode?: number
  /** A signal's name, `SIGKILL`. */
  signal?: string
  /** The files that the output is about: where tests failed. */
  locations?: Location[]
}

export interface DiffResultView {
  card: 'diff'
  title?: string
  /** The applied hunks, one entry per changed site. */
  diffs: FileDiff[]
}

/** What a tool says its call looks like once it has run. */
export type ToolResultView = GenericResultView | TerminalResultView | DiffResultView

export type PlanEntryStatus = 'pending' | 'in_progress' | 'completed'
export type PlanEntryPriority = 'high' | 'medium' | 'low'

/** One line of a plan; `meta.plan` of a result is an array of these, the whole list each time. */
export type PlanEntry = {
  content: string
  status: PlanEntryStatus
  priority: PlanEntryPriority
}
