import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FileChange, type FileStates, formatBytes, toFileChange } from '../../cards/index.js'
import { describeBytes } from '../../workspace/index.js'
import type { CommandWindow, FileBefore } from './command-window.js'
import type { FileStamp } from './file-stamp.js'
import { inSlices } from './slices.js'
import type { RootTree } from './trees.js'

/** Of more changed files the contents are not kept for undo. */
const MAX_WITH_BYTES = 1000

/** A file that a command changed: before and after, as far as they are known. */
export interface ChangedFile {
  realPath: string
  /** In the session's spelling. */
  path: string
  /** The file that went, of one that was moved. */
  movedFrom?: ChangedFile
  before: FileBefore
  after: { stamp: FileStamp; bytes?: Buffer } | null
}

/** What really changed since the window opened, in path order. */
export async function toChangedFiles(window: CommandWindow, { watch, toSpoken }: RootTree): Promise<ChangedFile[]> {
  const { index } = watch
  const changed: ChangedFile[] = []
  const compare = (realPath: string) => {
    const before = window.before.get(realPath)!
    const stamp = index.files.get(realPath)?.stamp
    if (before.stamp === null && stamp === undefined) return
    const bytes = stamp && index.read(realPath)
    // Saved as it was, or only touched.
    if (before.bytes !== undefined && bytes?.equals(before.bytes)) return
    // Bytes of many files together are more than there is room for.
    const isKept = changed.length < MAX_WITH_BYTES
    const after = stamp === undefined ? null : { stamp, ...(bytes && isKept && { bytes }) }
    changed.push({ realPath, path: toSpoken(realPath), before, after })
  }
  const isForgotten = () => index.generation !== window.generation
  await inSlices([...window.before.keys()].sort(), compare, isForgotten)
  return isForgotten() ? [] : joinMoves(changed)
}

/** The card data of these files; hunks up to `maxBytes` in all, and none that would block for long. */
export async function toFileChanges(files: readonly ChangedFile[], maxBytes: number): Promise<FileChange[]> {
  const changes: FileChange[] = []
  let room = maxBytes
  for (const file of files) {
    const change = toChange(file, room)
    for (const { oldText, newText } of change.hunks) room -= (oldText?.length ?? 0) + newText.length
    changes.push(change)
    await nextTurn()
  }
  return changes
}

// A move keeps the inode and the time of the last change; an inode that was given out anew does not keep the time.
function joinMoves(changed: ChangedFile[]): ChangedFile[] {
  const gone = new Map<string, ChangedFile>()
  for (const file of changed) if (file.after === null) gone.set(toIdentity(file.before.stamp), file)
  const sources = new Set<ChangedFile>()
  const joined = changed.map(file => {
    const from = file.before.stamp === null && file.after ? gone.get(toIdentity(file.after.stamp)) : undefined
    if (from === undefined) return file
    sources.add(from)
    return { ...file, movedFrom: from, before: from.before }
  })
  return joined.filter(file => !sources.has(file))
}

function toIdentity(stamp: Partial<FileStamp> | null): string {
  return `${stamp?.ino} ${stamp?.mtimeMs} ${stamp?.sizeBytes}`
}

function toChange({ path, movedFrom, before, after }: ChangedFile, maxBytes: number): FileChange {
  const moved = movedFrom === undefined ? {} : { movedFrom: movedFrom.path }
  const isMoveOnly = movedFrom !== undefined && before.stamp?.mtimeMs === after?.stamp.mtimeMs
  if (isMoveOnly) return { type: 'moved', path, ...moved, hunks: [] }
  const old = before.stamp === null ? null : before.bytes && toState(before.bytes)
  const now = after === null ? null : after.bytes && toState(after.bytes)
  if (old !== undefined && now !== undefined && maxBytes > 0) {
    const change = toFileChange({ path, ...moved, before: old, after: now }, { maxBytes })
    if (change.type !== 'unchanged') return change
    return { ...change, type: 'modified', reason: 'Only bytes that are no valid text changed.' }
  }
  const type =
    movedFrom !== undefined ? 'moved' : before.stamp === null ? 'created' : after === null ? 'deleted' : 'modified'
  return { type, path, ...moved, hunks: [], reason: toReason(before, after, old !== undefined && now !== undefined) }
}

function toReason(before: FileBefore, after: ChangedFile['after'], isKnown: boolean): string {
  const sizes = [
    ...(before.stamp === null ? [] : [`${formatBytes(before.stamp.sizeBytes)} before`]),
    ...(after === null ? [] : [`${formatBytes(after.stamp.sizeBytes)} after`]),
  ].join(', ')
  if (isKnown) return `The command changed too much for all of it to be shown (${sizes}).`
  if (after !== null && after.bytes === undefined) return `The file is too large to show (${sizes}).`
  return `No copy of its earlier content was kept (${sizes}).`
}

function toState(bytes: Buffer): FileStates['before'] {
  const { text } = describeBytes(bytes)
  return text ?? { binary: true, sizeBytes: bytes.length }
}
