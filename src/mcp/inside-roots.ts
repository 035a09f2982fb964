import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ActiveExecution } from '../registry/index.js'
import { isInside } from '../workspace/index.js'

/**
 * Tells whether a path, absolute or relative to the session's cwd, names a place in its directories, by the names that they
 * have and by those that they really have: a server's own working directory is the latter. True without a session.
 */
export function createInsideRoots(agent: ActiveExecution['agent']): (path: string) => boolean {
  if (agent === undefined) return () => true
  const { cwd, roots } = agent
  const directories = roots.flatMap(root => [root, realPathOf(root)])
  return path => directories.some(directory => isInside(directory, resolve(cwd, path)))
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
