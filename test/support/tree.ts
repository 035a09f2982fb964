import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

const TREES = resolve(import.meta.dirname, '../../fixtures/trees')

export type TreeName = 'encodings' | 'ignored' | 'links' | 'monorepo' | 'odd-names'

/** Writes a tree of files: relative path with `/` → content. */
export async function putTree(directory: string, files: Record<string, string | Uint8Array>): Promise<void> {
  const entries = Object.entries(files).map(([name, content]) => ({ path: join(directory, name), content }))
  for (const folder of new Set(entries.map(({ path }) => dirname(path)))) await mkdir(folder, { recursive: true })
  while (entries.length > 0) {
    await Promise.all(entries.splice(0, 64).map(({ path, content }) => writeFile(path, content)))
  }
}

/**
 * Copies a tree of fixtures/trees into a directory: names that begin with `dot-` begin with a dot there, and the links that
 * its links.json names are made.
 */
export async function copyTree(name: TreeName, directory: string): Promise<void> {
  await cp(join(TREES, name), directory, { recursive: true })
  await nameHidden(directory)
  const list = join(directory, 'links.json')
  const links = await readFile(list, 'utf8').catch(() => undefined)
  if (links === undefined) return
  await rm(list)
  for (const [path, target] of Object.entries(JSON.parse(links) as Record<string, string>)) {
    await symlink(target, join(directory, path))
  }
}

async function nameHidden(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name.replace(/^dot-/, '.'))
    if (entry.name.startsWith('dot-')) await rename(join(directory, entry.name), path)
    if (entry.isDirectory()) await nameHidden(path)
  }
}
