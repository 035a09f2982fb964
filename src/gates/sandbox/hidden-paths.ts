import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside } from '../../workspace/index.js'
import { isFolder, realPaths } from './surroundings.js'

export interface HiddenPaths {
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

/**
 * What to cover so that `secrets` cannot be read, but for what lies in one of `readable` (real paths), and `always` not at
 * all. Both as they are spelled; they need not exist. The answer holds real paths, none inside another.
 */
export async function toHiddenPaths(
  secrets: readonly string[],
  readable: readonly string[],
  always: readonly string[],
): Promise<HiddenPaths> {
  const folders = new Set<string>()
  const files = new Set<string>()
  const hide = async (path: string, open: readonly string[]): Promise<void> => {
    if (open.some(folder => isInside(folder, path))) return
    const folder = await isFolder(path)
    if (folder === undefined) return
    if (!folder) {
      files.add(path)
    } else if (!open.some(inner => isInside(path, inner))) {
      folders.add(path)
    } else {
      const names = await readdir(path).catch(() => [])
      const inner = await realPaths(names.map(name => join(path, name)))
      await Promise.all(inner.map(entry => hide(entry, open)))
    }
  }
  const [open, closed] = await Promise.all([realPaths(secrets), realPaths(always)])
  await Promise.all([...open.map(path => hide(path, readable)), ...closed.map(path => hide(path, []))])
  const isCovered = (path: string) => [...folders].some(folder => folder !== path && isInside(folder, path))
  return {
    folders: [...folders].filter(path => !isCovered(path)),
    files: [...files].filter(path => !isCovered(path)),
  }
}
