import {
  type FileChange,
  type FileStates,
  formatBytes,
  hasErrorCode,
  isHarnessError,
  toFileChange,
} from '../../cards/index.js'
import type { ActiveExecution } from '../../registry/index.js'
import { describeBytes, type Files } from '../../workspace/index.js'
import type { CheckpointStore } from './checkpoint-store.js'
import type { FileRecord } from './turn-changes.js'

/** What became of one file: put back, already so, or left with the reason. */
export type Restored =
  | { kind: 'restored'; record: FileRecord; before: Buffer | null; after: Buffer | null }
  | { kind: 'same'; record: FileRecord }
  /** `why` is a clause: `it has changed since`. */
  | { kind: 'left'; record: FileRecord; why: string }

/** Puts one file back as it was before its turn, if it still is as the turn left it. Never rejects, an abort apart. */
export async function restoreFile(
  files: Files,
  store: CheckpointStore,
  record: FileRecord,
  exec: ActiveExecution,
): Promise<Restored> {
  const { realPath } = record
  try {
    return await files.lock(realPath, () => restoreLocked(files, store, record, exec), exec.signal)
  } catch (error) {
    if (hasErrorCode(error, 'ABORTED')) throw error
    const reason = isHarnessError(error) ? error.message : String(error)
    return { kind: 'left', record, why: `it could not be put back: ${reason}` }
  }
}

/** The card data of a file that was put back. */
export function toRestoredChange({ record, before, after }: Extract<Restored, { kind: 'restored' }>, maxBytes: number) {
  const states: FileStates = { path: record.path, before: toState(before), after: toState(after) }
  const change = maxBytes > 0 ? toFileChange(states, { maxBytes }) : withoutHunks(record.path, before, after)
  return change.type === 'unchanged'
    ? { ...change, type: 'modified' as const, reason: 'Only its bytes differ.' }
    : change
}

async function restoreLocked(
  files: Files,
  store: CheckpointStore,
  record: FileRecord,
  { agent, signal }: ActiveExecution,
): Promise<Restored> {
  const { realPath, before, after, madeFolder } = record
  const current = await files.readIfThere(agent, realPath, signal)
  const hash = current?.hash ?? null
  if (before.kind !== 'lost' && hash === (before.kind === 'none' ? null : before.hash)) return { kind: 'same', record }
  if (hash !== after) return { kind: 'left', record, why: 'it has changed since' }
  if (before.kind === 'lost') return { kind: 'left', record, why: `its earlier content was not kept: ${before.why}` }
  if (before.kind === 'none') {
    await files.remove(agent, realPath, {
      signal,
      ...(current && { replacing: current }),
      ...(madeFolder !== undefined && { emptyFolders: madeFolder }),
    })
    return { kind: 'restored', record, before: current?.bytes ?? null, after: null }
  }
  const bytes = await store.read(before.hash)
  if (bytes === undefined) return { kind: 'left', record, why: 'its earlier content is no longer kept' }
  const saved = await files.write(agent, realPath, bytes, { replacing: current, mode: before.mode, signal })
  return { kind: 'restored', record, before: current?.bytes ?? null, after: saved.bytes }
}

function toState(bytes: Buffer | null): FileStates['before'] {
  if (bytes === null) return null
  return describeBytes(bytes).text ?? { binary: true, sizeBytes: bytes.length }
}

function withoutHunks(path: string, before: Buffer | null, after: Buffer | null): FileChange {
  const type = before === null ? 'created' : after === null ? 'deleted' : 'modified'
  const size = formatBytes((after ?? before)?.length ?? 0)
  return { type, path, hunks: [], reason: `Too much was put back for all of it to be shown (${size}).` }
}
