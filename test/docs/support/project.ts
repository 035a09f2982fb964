import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from './markdown.js'

/** A temporary project with these files, in which `deckhand` is installed. Gone when the test ends. */
export async function openProject(files: ReadonlyMap<string, string> = new Map()): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-docs-')))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const given = new Map([['package.json', '{ "type": "module" }\n'], ...files])
  for (const [name, text] of given) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), text)
  }
  await mkdir(join(directory, 'node_modules'))
  await symlink(root, join(directory, 'node_modules/deckhand'), 'junction')
  return directory
}
