export { type ContentBlock, type EmbeddedResource, type JsonValue, text } from './content.js'
export { ERROR_CODES, type ErrorCode, HarnessError, hasErrorCode, isHarnessError } from './errors.js'
export type {
  DiffCallView,
  DiffResultView,
  FileDiff,
  GenericCallView,
  GenericResultView,
  Location,
  PlanEntry,
  PlanEntryPriority,
  PlanEntryStatus,
  TerminalCallView,
  TerminalResultView,
  ToolCallView,
  ToolKind,
  ToolResultView,
} from './views.js'
