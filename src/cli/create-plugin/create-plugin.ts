import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pluginFiles } from './template.js'

// Of npm's names those that need no quoting anywhere.
const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z][a-z0-9._-]*$/
const MAX_NAME_LENGTH = 214
/** Of npm, of what a plugin imports, and of devices, which no folder of Windows is named after. */
const TAKEN = /^(?:node_modules|favicon\.ico|deckhand|(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?)$/

/**
 * Writes a new plugin to `dir`, a folder of its name below `cwd` without it, and resolves to that folder. Rejects if the name
 * is none for a package, or if there is something already.
 */
export async function createPlugin(name: string, { cwd, dir }: { cwd: string; dir?: string }): Promise<string> {
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    throw new Error(
      `${JSON.stringify(name)} is no name for a package: small letters, digits and hyphens, a letter first.`,
    )
  }
  const last = name.split('/').at(-1) ?? name
  if (TAKEN.test(last) || isBuiltin(name))
    throw new Error(`${name} is a name that has a meaning already; take another.`)
  if (last.endsWith('.')) throw new Error(`${name} ends with a dot, which no folder of Windows can; take another name.`)
  const folder = resolve(cwd, dir ?? last)
  const isLink = await lstat(folder).then(
    stats => stats.isSymbolicLink(),
    () => false,
  )
  if (isLink) throw new Error(`${folder} is a link to another place; nothing was written.`)
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error.code === 'ENOTDIR' ? new Error(`${folder} is a file.`) : error
  })
  if (found.length > 0) throw new Error(`${folder} is not empty; nothing was written.`)
  for (const [path, content] of Object.entries(pluginFiles(name))) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content, { flag: 'wx' })
  }
  return folder
}
