import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isSecretName } from '../../../workspace/index.js'

const MAX_ENTRIES = 20_000
/** Packages bring names of this kind by the hundred, and none is the user's. */
const NOT_THE_USERS = new Set(['.git', 'node_modules'])
/** A program about credentials holds none: searching a source tree stays free. */
const PROGRAM_TEXT =
  /\.([cm]?[jt]sx?|py|rb|go|rs|java|kts?|cs|php|swift|scala|c|h|cc|cpp|hpp|vue|svelte|md|html|s?css)$/i

/**
 * The first file below `folder`, links not followed, whose name says that it holds secrets, relative to it; `too-many` past a
 * bound. Nothing if `folder` is a file. With `hidden` false, dot files and what is in dot folders do not count.
 */
export async function findSecretBelow(folder: string, hidden: boolean): Promise<string | undefined> {
  const pending = [folder]
  let count = 0
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      if (++count > MAX_ENTRIES) return 'too-many'
      const { name } = entry
      if (NOT_THE_USERS.has(name) || (!hidden && name.startsWith('.'))) continue
      if (entry.isDirectory()) pending.push(join(path, name))
      else if (isSecretName(name) && !PROGRAM_TEXT.test(name)) return relative(folder, join(path, name))
    }
  }
  return undefined
}
