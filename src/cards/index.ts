export { alignLines } from './align-lines.js'
export { type AppliedHunks, appliedHunks } from './applied-hunks.js'
export { assertNever } from './assert-never.js'
export { ByteTail } from './byte-tail.js'
export { type ContentBlock, type EmbeddedResource, type JsonValue, text } from './content.js'
export { isContentBlock } from './content-check.js'
export { ERROR_CODES, type ErrorCode, HarnessError, hasErrorCode, isHarnessError } from './errors.js'
export { fence } from './fence.js'
export { type FileChange, type FileStates, isFileChange, toFileChange } from './file-change.js'
export { fileChangesOf } from './file-change-list.js'
export { fileChangeView } from './file-change-view.js'
export { foldTerminal } from './fold-terminal.js'
export { headAndTail, leftOutMarker } from './head-and-tail.js'
export { countLineEndings, indexLines, toLf } from './lines.js'
export { cutText, oneLine } from './one-line.js'
export { type CollectedOutput, createOutputCollector } from './output-collector.js'
export { MAX_COLLECTED_BYTES, toModelText } from './output-text.js'
export { isRecord } from './shape.js'
export { byteLength, formatBytes, takeFirstBytes, takeLastBytes, toWellFormed } from './text-bytes.js'
export { isToolKind, TOOL_KINDS, type ToolKind } from './tool-kind.js'
export { cutAfter, cutBefore, Utf8Joiner } from './utf8-bytes.js'
export { isLocation, isToolCallView, isToolResultView } from './view-check.js'
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
  ToolResultView,
} from './views.js'
export { visibleControls } from './visible-controls.js'
