import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The nearest directory, from `directory` (a real path) upwards, with a `.git`: the folder of a repository, or the file of a
 * linked worktree or submodule.
 */
export function findRepositoryTop(directory: string): string | undefined {
  for (let current = directory; ; current = dirname(current)) {
    if (isThere(join(current, '.git'))) return current
    if (dirname(current) === current) return undefined
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
