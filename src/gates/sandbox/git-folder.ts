import { access, constants, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Repositories within a repository that are looked at: submodules. */
const MAX_MODULES = 100

export interface GitFolder {
  /** Mounted on itself, so that it can be moved neither away nor out from under its protected parts. */
  readonly writable: string
  readonly readOnly: readonly string[]
  readonly keptEmpty: readonly string[]
}

/** What of a `.git` folder commands must not change: what names programs that git runs later, its submodules' included. */
export async function protectGitFolder(path: string): Promise<GitFolder> {
  const readOnly: string[] = []
  const keptEmpty: string[] = []
  for (const folder of [path, ...(await listModules(join(path, 'modules')))]) {
    for (const name of ['config', 'config.worktree', 'commondir']) {
      if (await exists(join(folder, name))) readOnly.push(join(folder, name))
    }
    const hooks = join(folder, 'hooks')
    if (await exists(hooks)) readOnly.push(hooks)
    else if (await canWrite(folder)) keptEmpty.push(hooks)
  }
  return { writable: path, readOnly, keptEmpty }
}

/** A submodule's name may hold slashes, so its folder is one that has a HEAD, at any depth. */
async function listModules(folder: string): Promise<string[]> {
  const modules: string[] = []
  const queue = [folder]
  for (let index = 0; index < Math.min(queue.length, MAX_MODULES); index += 1) {
    const at = queue[index] ?? folder
    const entries = await readdir(at, { withFileTypes: true }).catch(() => [])
    if (entries.some(({ name }) => name === 'HEAD')) {
      modules.push(at)
      queue.push(join(at, 'modules'))
    } else {
      queue.push(...entries.filter(entry => entry.isDirectory()).map(entry => join(at, entry.name)))
    }
  }
  return modules
}

async function canWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
