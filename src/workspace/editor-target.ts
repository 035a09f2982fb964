import { lstat, realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { hasErrorCode } from '../cards/index.js'
import { errnoOf, toFileError } from './file-error.js'
import { type FileContent, readWholeFile } from './read-file.js'
import { isInside, type ResolvedPath, type WorkspaceAgent } from './resolve-path.js'

/** Larger files stay with the disk: an editor's answer is one message. */
const MAX_EDITOR_BYTES = 1024 * 1024

/** A file inside the roots, as its session and its editor know it. */
export interface EditorTarget extends ResolvedPath {
  /** Absolute: how the editor knows the file. */
  editorPath: string
  /** Hash of what the session last saw of it. */
  seen: string | undefined
}

/**
 * The path by which the editor knows a file: its real place below a root, in the root's spelling (B42). So a link inside
 * the workspace names the same buffer as its target. Undefined outside the roots, granted or not.
 */
export async function toEditorPath(agent: WorkspaceAgent, target: ResolvedPath): Promise<string | undefined> {
  let found: string | undefined
  for (const root of agent.roots.map(directory => resolve(directory))) {
    const realRoot = await realpath(root).catch(() => root)
    if (!isInside(realRoot, target.realPath)) continue
    const path = join(root, relative(realRoot, target.realPath))
    if (isInside(root, target.path)) return path
    found ??= path
  }
  return found
}

/** A file of a size that an editor takes, and when it was last touched; `missing`, or `other` for what is none. */
export async function readForEditor(
  target: ResolvedPath,
  signal?: AbortSignal,
): Promise<{ file: FileContent; touchedAtMs: number } | 'missing' | 'other'> {
  try {
    const stats = await lstat(target.realPath)
    if (!stats.isFile() || stats.size > MAX_EDITOR_BYTES) return 'other'
    return { file: await readWholeFile(target, signal), touchedAtMs: stats.ctimeMs }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || hasErrorCode(error, 'NOT_FOUND')) return 'missing'
    // Whoever goes on with the disk alone meets it again, in its own words.
    if (errnoOf(error) === 'ENOTDIR') return 'other'
    throw toFileError(error, 'read', target.spoken)
  }
}
