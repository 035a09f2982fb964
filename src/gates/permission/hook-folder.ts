import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const MAX_CONFIG_BYTES = 256 * 1024

/** The folder that a repository's own settings name for git's hooks (core.hooksPath); absolute. `root` is its top. */
export async function findHookFolder(root: string): Promise<string | undefined> {
  const path = join(root, '.git', 'config')
  try {
    const { size } = await stat(path)
    if (size > MAX_CONFIG_BYTES) return undefined
    const [, value] = /^[ \t]*hooksPath[ \t]*=[ \t]*(.+?)[ \t]*$/im.exec(await readFile(path, 'utf8')) ?? []
    return value === undefined ? undefined : resolve(root, value.replace(/^"(.*)"$/, '$1'))
  } catch {
    // No repository, or a work tree whose settings lie elsewhere.
    return undefined
  }
}
