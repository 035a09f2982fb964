import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/**
 * The first of `candidates` that can be run: absolute paths, or names that are looked up on PATH. Relative entries of PATH
 * do not count: they would depend on the directory.
 */
export function findProgram(candidates: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)
  return candidates
    .flatMap(candidate => (isAbsolute(candidate) ? [candidate] : folders.map(folder => join(folder, candidate))))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    // Missing is the usual case, on most folders of the PATH: it is told without an error, which costs more than the look.
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
