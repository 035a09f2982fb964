import { type AppliedHunksOptions, appliedHunks } from './applied-hunks.js'
import { isListOf, isOptional, isRecord, isString } from './shape.js'
import { byteLength, formatBytes } from './text-bytes.js'
import { isFileDiff } from './view-check.js'
import type { FileDiff } from './views.js'

/** A file whose content is not text. */
interface BinaryContent {
  binary: true
  sizeBytes: number
}

/** One file before and after; null where there is none. `movedFrom` is the path it had before. */
export interface FileStates {
  path: string
  movedFrom?: string
  before: string | BinaryContent | null
  after: string | BinaryContent | null
}

/** What happened to one file, as plain data for a result's `meta`. */
export type FileChange = {
  type: 'created' | 'modified' | 'deleted' | 'moved' | 'unchanged'
  path: string
  movedFrom?: string
  /** Empty where a text is needed instead: `reason` then says why, with sizes. */
  hunks: FileDiff[]
  /** Sentences on what the hunks do not show. */
  reason?: string
}

/**
 * Compares a file's states. Two binary states are taken as different content: the caller knows whether they are. A deleted
 * file has its content as removed text.
 */
export function toFileChange(states: FileStates, options?: AppliedHunksOptions): FileChange {
  const { path, movedFrom, before, after } = states
  const shown = compareStates(path, before, after, options)
  if (movedFrom !== undefined) return { type: 'moved', path, movedFrom, ...shown }
  if (before === null && after === null) return { type: 'unchanged', path, hunks: [] }
  if (before === null) return { type: 'created', path, ...shown }
  if (after === null) return { type: 'deleted', path, ...shown }
  const changed = shown.hunks.length > 0 || shown.reason !== undefined
  return { type: changed ? 'modified' : 'unchanged', path, ...shown }
}

function compareStates(
  path: string,
  before: FileStates['before'],
  after: FileStates['after'],
  options?: AppliedHunksOptions,
): Pick<FileChange, 'hunks' | 'reason'> {
  const oldText = before === null || typeof before === 'string' ? before : undefined
  const newText = after === null || typeof after === 'string' ? after : undefined
  if (oldText !== undefined && newText !== undefined) {
    if (newText !== null) return appliedHunks(path, oldText, newText, options)
    // With the file its byte-order mark goes too: no news.
    return oldText === null ? { hunks: [] } : appliedHunks(path, oldText.replace(/^\ufeff/, ''), '', options)
  }
  const sizes = [
    ...(before === null ? [] : [`${describeSize(before)} before`]),
    ...(after === null ? [] : [`${describeSize(after)} after`]),
  ]
  return { hunks: [], reason: `Binary content is not shown (${sizes.join(', ')}).` }
}

function describeSize(state: string | BinaryContent): string {
  return formatBytes(typeof state === 'string' ? byteLength(state) : state.sizeBytes)
}

const TYPES: Record<FileChange['type'], true> = {
  created: true,
  modified: true,
  deleted: true,
  moved: true,
  unchanged: true,
}

/** True if `value`, read back from a result's `meta`, is a file change. */
export function isFileChange(value: unknown): value is FileChange {
  return (
    isRecord(value) &&
    isString(value.type) &&
    Object.hasOwn(TYPES, value.type) &&
    isString(value.path) &&
    isOptional(value.movedFrom, isString) &&
    isListOf(value.hunks, isFileDiff) &&
    isOptional(value.reason, isString)
  )
}
