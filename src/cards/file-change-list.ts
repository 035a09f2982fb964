import { type FileChange, isFileChange } from './file-change.js'
import { isRecord } from './shape.js'

/**
 * What a call did to files besides what its own card says: `meta.fileChanges` of any tool's result, a list of file changes.
 * Empty without one; malformed entries are left out.
 */
export function fileChangesOf(meta: unknown): FileChange[] {
  if (!isRecord(meta) || !Array.isArray(meta.fileChanges)) return []
  return meta.fileChanges.filter(isFileChange)
}
