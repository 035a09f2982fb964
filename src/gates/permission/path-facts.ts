import { basename, relative } from 'node:path'
import type { ToolAgent } from '../../registry/index.js'
import { type Files, isInside, isSecretName } from '../../workspace/index.js'
import { findHookFolders } from './hook-folder.js'
import type { OwnFiles } from './own-files.js'
import { isSteering } from './steering-files.js'

/** What a decision needs to know of a path. */
export interface PathFacts {
  readonly use: 'read' | 'write'
  /** As the call wrote it. */
  readonly spoken: string
  /** Absolute, in the spelling of the session. */
  readonly path: string
  /** Absolute, free of links: what is judged (B63). */
  readonly realPath: string
  /** From each root that it lies in, by its own name and by where it leads. */
  readonly relative: readonly string[]
  readonly realRelative: readonly string[]
  /** The real path lies in one of the roots. */
  readonly inside: boolean
  readonly secret: boolean
  readonly steering: boolean
  /** Which of Deckhand's own files it is. */
  readonly own?: string
}

export interface PathLookup {
  readonly files: Files
  ownFiles(): OwnFiles
  readonly agent: ToolAgent | undefined
}

/** Looks paths up on the disk. Throws what `files.resolve` throws. */
export async function lookUpPaths(
  { files, ownFiles: lookUpOwn, agent }: PathLookup,
  paths: readonly { use: PathFacts['use']; spoken: string }[],
): Promise<PathFacts[]> {
  if (paths.length === 0) return []
  // Roots are looked up once for all paths, and what another gate granted before is no root.
  const plain = agent && { ...agent, roots: [], granted: [] }
  const ownFiles = lookUpOwn()
  const roots = await Promise.all((agent?.roots ?? []).map(root => files.resolve(undefined, root)))
  const mayWrite = paths.some(({ use }) => use === 'write')
  const hookFolders = mayWrite ? roots.flatMap(root => findHookFolders(root.realPath)) : []
  return Promise.all(
    paths.map(async ({ use, spoken }) => {
      const { path, realPath } = await files.resolve(plain, spoken)
      const relativeTo = roots.filter(root => isInside(root.path, path)).map(root => relative(root.path, path))
      const inRoots = roots.filter(root => isInside(root.realPath, realPath))
      const realRelative = inRoots.map(root => relative(root.realPath, realPath))
      const own = await ownFiles.find(realPath)
      return {
        use,
        spoken,
        path,
        realPath,
        relative: relativeTo,
        realRelative,
        // Without a session there is no workspace to be inside of.
        inside: inRoots.length > 0,
        secret: isSecretName(basename(path)) || isSecretName(basename(realPath)),
        // By either name: through a link an ordinary path reaches a hook, and a hook's own name may be a link to elsewhere.
        steering:
          use === 'write' &&
          ([...relativeTo, ...realRelative].some(isSteering) || hookFolders.some(folder => isInside(folder, realPath))),
        ...(own === undefined ? {} : { own }),
      }
    }),
  )
}
