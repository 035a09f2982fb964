import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pluginFiles } from './template.js'

// Of npm's names those that need no quoting anywhere.
const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z][a-z0-9._-]*$/
const MAX_NAME_LENGTH = 214

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
  const folder = resolve(cwd, dir ?? name.split('/').at(-1) ?? name)
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
