import type { Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isHiddenName, isSteeringName } from './workspace-names.js'

/** What a root holds that commands must not read, or not change; absolute, below the root as given. */
export interface WorkspaceScan {
  readonly hidden: readonly string[]
  readonly readOnly: readonly string[]
  /** Repositories' `.git` folders. */
  readonly gitFolders: readonly string[]
}

/** Folders looked at, the shallow ones first. */
const MAX_FOLDERS = 2000
const MAX_FOUND = 500
const MAX_NPMRC_BYTES = 64 * 1024
const BATCH = 16

/** Walks a root for secrets and for files that steer what runs later. Links are not followed, node_modules is not entered. */
export async function scanWorkspace(root: string): Promise<WorkspaceScan> {
  const found = { hidden: [] as string[], readOnly: [] as string[], gitFolders: [] as string[] }
  const npmrcs: string[] = []
  const queue = [root]
  for (let seen = 0; seen < Math.min(queue.length, MAX_FOLDERS); ) {
    const batch = queue.slice(seen, Math.min(seen + BATCH, MAX_FOLDERS))
    seen += batch.length
    const lists = await Promise.all(batch.map(folder => readdir(folder, { withFileTypes: true }).catch(() => [])))
    for (const [index, entries] of lists.entries()) {
      const folder = batch[index] ?? root
      for (const entry of entries) if (sort(entry, folder)) npmrcs.push(join(folder, entry.name))
    }
  }
  for (const path of npmrcs) if (await holdsToken(path)) keep(found.hidden, path)
  return found

  /** True for a file that has to be looked into. */
  function sort(entry: Dirent, folder: string): boolean {
    const { name } = entry
    const path = join(folder, name)
    if (name === '.git') {
      keep(entry.isDirectory() ? found.gitFolders : found.readOnly, path)
      return false
    }
    if (isSteeringName(basename(folder), name)) keep(found.readOnly, path)
    if (entry.isDirectory()) {
      if (name !== 'node_modules') queue.push(path)
      return false
    }
    if (name === '.npmrc') return true
    if (isHiddenName(name)) keep(found.hidden, path)
    return false
  }
}

function keep(list: string[], path: string): void {
  if (list.length < MAX_FOUND) list.push(path)
}

/** A project's .npmrc is settings most of the time, and npm needs them. */
async function holdsToken(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return false
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_NPMRC_BYTES), 0, MAX_NPMRC_BYTES, 0)
    return /_auth|_password/i.test(buffer.toString('latin1', 0, bytesRead))
  } catch {
    return true
  } finally {
    await file.close()
  }
}
