import { realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The user's machine as a plan needs it; real paths. */
export interface Surroundings {
  /** Absolute. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isRoot: boolean
}

/** A path of the config: absolute, or below the home directory as `~/…`. */
export function fromHome(home: string, path: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(home, path)
}

/** The real paths of those that exist, each once. */
export async function realPaths(paths: Iterable<string>): Promise<string[]> {
  const found = await Promise.all([...paths].map(path => realpath(path).catch(() => undefined)))
  return [...new Set(found.filter(path => path !== undefined))]
}

/** True for a folder, false for anything else, undefined if it cannot be looked up. */
export async function isFolder(path: string): Promise<boolean | undefined> {
  return stat(path).then(
    found => found.isDirectory(),
    () => undefined,
  )
}
