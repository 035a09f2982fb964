import { realpath } from 'node:fs/promises'
import { type Files, isInside, isTemporary } from '../../workspace/index.js'

/** What lies below a folder, by real path, without what the tree's own rules ignore, names that say secret and half-written files. */
export interface ListedTree {
  files: string[]
  folders: string[]
}

export interface ListingOptions {
  /** How many levels; 1: the folder's own entries. */
  depth: number
  maxFiles: number
  signal: AbortSignal
}

/** Lists `folder` of the tree at `root`; undefined if there is more than may be looked at. */
export type ListTree = (root: string, folder: string, options: ListingOptions) => Promise<ListedTree | undefined>

/** Lists through the one walk of `ctx.files`, hidden names too, and nothing in `leaveOut`: the agent's own. Throws as that does. */
export function createListing(files: Files, leaveOut: readonly string[]): ListTree {
  return async (root, folder, { depth, maxFiles, signal }) => {
    const own = await Promise.all(leaveOut.map(path => realpath(path).catch(() => path)))
    const listed: ListedTree = { files: [], folders: [] }
    const entries = await files.walk({ sessionId: '', cwd: root, roots: [root] }, folder, {
      filter: { matches: () => true, namesHidden: true, directories: 'too', maxDepth: depth },
      maxEntries: 10 * maxFiles,
      signal,
    })
    for await (const batch of entries.batches()) {
      for (const { path, realPath, kind } of batch.entries) {
        // What a link leads to is listed where it lies.
        if (path !== realPath || isTemporary(realPath) || own.some(left => isInside(left, realPath))) continue
        listed[kind === 'file' ? 'files' : 'folders'].push(realPath)
      }
      if (listed.files.length > maxFiles) return undefined
    }
    return entries.summary.truncated ? undefined : listed
  }
}
