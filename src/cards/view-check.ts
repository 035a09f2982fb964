import { isContentBlock } from './content-check.js'
import { isListOf, isOptional, isPlainData, isRecord, isString } from './shape.js'
import { isToolKind } from './tool-kind.js'
import type { FileDiff, Location, ToolCallView, ToolResultView } from './views.js'

type Check = (view: Record<string, unknown>) => boolean

const CALL_CHECKS: Record<ToolCallView['card'], Check> = {
  generic: view =>
    isOptional(view.kind, isToolKind) &&
    isOptional(view.rawInput, isPlainData) &&
    isOptional(view.content, isContent) &&
    isOptional(view.locations, isLocations) &&
    isOptional(view.paths, paths => isListOf(paths, isPath)),
  terminal: view => isOptional(view.description, isString) && isOptional(view.cwd, isString),
  diff: view => isListOf(view.diffs, isFileDiff) && isOptional(view.locations, isLocations),
}

const RESULT_CHECKS: Record<ToolResultView['card'], Check> = {
  generic: view => isOptional(view.content, isContent) && isOptional(view.locations, isLocations),
  terminal: view =>
    isOptional(view.output, isString) &&
    isOptional(view.exitCode, isExitCode) &&
    isOptional(view.signal, isString) &&
    isOptional(view.locations, isLocations),
  diff: view => isListOf(view.diffs, isFileDiff),
}

/** True if what a presentCall returned is a call view. Unknown keys are allowed, unknown cards are not. */
export function isToolCallView(value: unknown): value is ToolCallView {
  return isRecord(value) && isString(value.title) && passes(CALL_CHECKS, value)
}

/** True if what a presentResult returned is a result view. Unknown keys are allowed, unknown cards are not. */
export function isToolResultView(value: unknown): value is ToolResultView {
  return isRecord(value) && isOptional(value.title, isString) && passes(RESULT_CHECKS, value)
}

/** True for a diff with a path and two sides that differ. Its text may have any line endings. */
export function isFileDiff(value: unknown): value is FileDiff {
  return (
    isRecord(value) &&
    isPath(value.path) &&
    (value.oldText === null || isString(value.oldText)) &&
    isString(value.newText) &&
    value.oldText !== value.newText &&
    isOptional(value.line, isLine)
  )
}

/** True for a location with a path and, if it has a line, a 1-based one. */
export function isLocation(value: unknown): value is Location {
  return isRecord(value) && isPath(value.path) && isOptional(value.line, isLine)
}

function passes(checks: Record<string, Check>, view: Record<string, unknown>): boolean {
  return isString(view.card) && Object.hasOwn(checks, view.card) && checks[view.card]!(view)
}

function isContent(value: unknown): boolean {
  return isListOf(value, isContentBlock)
}

function isLocations(value: unknown): boolean {
  return isListOf(value, isLocation)
}

function isPath(value: unknown): boolean {
  return isString(value) && value !== ''
}

function isLine(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1
}

function isExitCode(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
