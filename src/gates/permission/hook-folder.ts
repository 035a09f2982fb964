import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const MAX_CONFIG_BYTES = 256 * 1024

/** The folders that a repository's own settings name for git's hooks (core.hooksPath); absolute. `root` is its top. */
export function findHookFolders(root: string): string[] {
  const path = join(root, '.git', 'config')
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined || stats.size > MAX_CONFIG_BYTES) return []
    // The last one holds for git, but settings of a work tree may come after it: each counts.
    const found = readFileSync(path, 'utf8').matchAll(/(?:^|[\s\]])hooksPath[ \t]*=[ \t]*(.+?)[ \t]*$/gim)
    return [...found].map(([, value = '']) => resolve(root, value.replace(/^"(.*)"$/, '$1')))
  } catch {
    // No repository, or a work tree whose settings lie elsewhere.
    return []
  }
}
