import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

const MAX_CONFIG_BYTES = 256 * 1024
const MAX_FOLDERS_UP = 64

const MAX_MODULE_FOLDERS = 500

/**
 * Settings by which git runs a program, or reads more settings, while it only looks: wherever on a line they stand, since several
 * headings may stand before one. A lone `true` or `false` names no program, `true && x` does.
 */
const STARTS_PROGRAMS =
  /(?:^|[\s\]])(fsmonitor|external|textconv|command|process|clean|smudge|program|pager|path)[ \t]*=[ \t]*(?!(?:true|false)[ \t]*(?:[#;\r\n]|$))\S/im

/** Objects that are missing are fetched from where the settings say, by the programs that they name. */
const FETCHES = /(?:^|[\s\]])(promisor|partialclone)[ \t]*(?:=[ \t]*(?!false\b)|[#;\r\n]|$)/im

/** The one hook that git runs when a command that looks brings the index up to date. */
const HOOK = 'post-index-change'

/**
 * Why git, which only looks, may run a program of the repository's choosing in this folder: its own settings name one. A
 * clone brings no such settings, an unpacked archive can. A clause; undefined: it does not.
 */
export async function findGitSettingsTrouble(folder: string): Promise<string | undefined> {
  const top = await findTop(folder)
  if (top === undefined) return undefined
  const files = await settingsFiles(top)
  const modules = files && (await settingsOfModules(files.map(file => join(dirname(file), 'modules'))))
  if (files === undefined || modules === undefined) return `where the git settings of ${top} lie is not plain`
  const hookFolders = [join(dirname(files[0]), 'hooks')]
  for (const file of [...files, ...modules]) {
    const text = await readSettings(file)
    if (text === undefined) return `the git settings in ${file} cannot be read through`
    const [, name] = STARTS_PROGRAMS.exec(text) ?? FETCHES.exec(text) ?? []
    if (name) return `the repository's own git settings (${name}) may make git run a program`
    const named = toHookFolders(text, top)
    if (named === undefined) return `the repository's own git settings (hooksPath) may make git run a program`
    hookFolders.push(...named)
  }
  for (const hooks of [...hookFolders, ...modules.map(file => join(dirname(file), 'hooks'))]) {
    if (await stat(join(hooks, HOOK)).catch(() => undefined)) return `git would run the repository's hook ${HOOK}`
  }
  return undefined
}

/** The folders that settings name for hooks; undefined for one that is not written plainly. */
function toHookFolders(text: string, top: string): string[] | undefined {
  const values = [...text.matchAll(/(?:^|[\s\]])hooksPath[ \t]*=[ \t]*(.*?)[ \t]*$/gim)].map(([, value = '']) => value)
  return values.some(value => /["\\~%#;]/.test(value)) ? undefined : values.map(value => resolve(top, value))
}

/** The settings of submodules, into which git looks too; undefined if there are too many folders to look through. */
async function settingsOfModules(folders: readonly string[]): Promise<string[] | undefined> {
  const found: string[] = []
  const open = [...new Set(folders)]
  for (let count = 0; ; count++) {
    const at = open.pop()
    if (at === undefined) return found
    if (count >= MAX_MODULE_FOLDERS) return undefined
    const entries = await readdir(at, { withFileTypes: true }).catch(() => [])
    const isRepository = entries.some(({ name }) => name === 'HEAD')
    if (isRepository) found.push(join(at, 'config'), join(at, 'config.worktree'))
    // A module's name may hold slashes, and a module has modules of its own.
    for (const entry of entries) {
      if (entry.isDirectory() && (!isRepository || entry.name === 'modules')) open.push(join(at, entry.name))
    }
  }
}

async function findTop(folder: string): Promise<string | undefined> {
  let at = folder
  for (let step = 0; step < MAX_FOLDERS_UP; step++) {
    if (await stat(join(at, '.git')).catch(() => undefined)) return at
    if (dirname(at) === at) return undefined
    at = dirname(at)
  }
  return undefined
}

/** In a linked work tree `.git` is a file that leads to the settings. */
async function settingsFiles(top: string): Promise<[shared: string, own: string] | undefined> {
  const git = join(top, '.git')
  if ((await stat(git)).isDirectory()) return [join(git, 'config'), join(git, 'config.worktree')]
  const [, pointed] = /^gitdir: (.+?)\s*$/.exec((await readSettings(git)) ?? '') ?? []
  if (pointed === undefined) return undefined
  const own = resolve(top, pointed)
  const common = await readSettings(join(own, 'commondir'))
  const shared = common ? resolve(own, common.trim()) : own
  return [join(shared, 'config'), join(own, 'config.worktree')]
}

/** Empty for a file that is not there; undefined for one that cannot be read or is too long. */
async function readSettings(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file)
    return size > MAX_CONFIG_BYTES ? undefined : await readFile(file, 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : undefined
  }
}
