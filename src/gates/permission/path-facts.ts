import { basename, relative, resolve } from 'node:path'
import type { ToolAgent } from '../../registry/index.js'
import { type Files, isInside, isSecretName, type ResolvedPath } from '../../workspace/index.js'
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

/** A root by its own name and by where it leads. */
type Root = Pick<ResolvedPath, 'path' | 'realPath'>

/** Looks paths up on the disk, each once however often it is used. Throws what `files.resolve` throws. */
export async function lookUpPaths(
  { files, ownFiles: lookUpOwn, agent }: PathLookup,
  paths: readonly { use: PathFacts['use']; spoken: string }[],
): Promise<PathFacts[]> {
  if (paths.length === 0) return []
  // Roots are looked up once for all paths, and what another gate granted before is no root.
  const plain = agent && { ...agent, roots: [], granted: [] }
  const targets = new Map<string, ResolvedPath>()
  for (const { spoken } of paths) if (!targets.has(spoken)) targets.set(spoken, await files.resolve(plain, spoken))
  const roots = await Promise.all((agent?.roots ?? []).map(root => toRoot(files, root, [...targets.values()])))
  const mayWrite = paths.some(({ use }) => use === 'write')
  const hookFolders = mayWrite ? roots.flatMap(root => findHookFolders(root.realPath)) : []
  const ownFiles = lookUpOwn()
  const places = new Map([...targets].map(([spoken, target]) => [spoken, toPlace(target, roots, ownFiles)]))
  return paths.map(({ use, spoken }) => {
    const place = places.get(spoken)!
    return { use, ...place, steering: use === 'write' && steers(place, hookFolders) }
  })
}

// What a path that is free of links begins with is so too: a root in it leads nowhere else.
async function toRoot(files: Files, root: string, targets: readonly ResolvedPath[]): Promise<Root> {
  const path = resolve(root)
  if (targets.some(({ realPath }) => isInside(path, realPath))) return { path, realPath: path }
  return files.resolve(undefined, root)
}

function toPlace(
  { spoken, path, realPath }: ResolvedPath,
  roots: readonly Root[],
  ownFiles: OwnFiles,
): Omit<PathFacts, 'use' | 'steering'> {
  const realRelative = roots.flatMap(root => relativeIn(root.realPath, realPath))
  const own = ownFiles.find(realPath)
  return {
    spoken,
    path,
    realPath,
    relative: roots.flatMap(root => relativeIn(root.path, path)),
    realRelative,
    // Without a session there is no workspace to be inside of.
    inside: realRelative.length > 0,
    secret: isSecretName(basename(path)) || isSecretName(basename(realPath)),
    ...(own === undefined ? {} : { own }),
  }
}

function relativeIn(root: string, path: string): string[] {
  return isInside(root, path) ? [relative(root, path)] : []
}

// By either name: through a link an ordinary path reaches a hook, and a hook's own name may be a link to elsewhere.
function steers(
  { realPath, relative: names, realRelative }: Omit<PathFacts, 'use' | 'steering'>,
  hookFolders: readonly string[],
): boolean {
  return [...new Set([...names, ...realRelative])].some(isSteering) || hookFolders.some(at => isInside(at, realPath))
}
