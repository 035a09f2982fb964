import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findGitLinks } from './git-index.js'

const MAX_CONFIG_BYTES = 256 * 1024
const MAX_FOLDERS_UP = 64
const MAX_MODULE_FOLDERS = 500
const MAX_REPOSITORIES = 100

/**
 * Settings by which git runs a program, or reads more settings, while it only looks: wherever on a line they stand, since several
 * headings may stand before one. A lone `true` or `false` names no program, `true && x` does.
 */
const STARTS_PROGRAMS =
  /(?:^|[\s\]])(fsmonitor|external|textconv|command|process|clean|smudge|program|pager|path)[ \t]*=[ \t]*(?!(?:true|false)[ \t]*(?:[#;\r\n]|$))\S/im

/** Objects that are missing are fetched from where the settings say, by the programs that they name. */
const FETCHES = /(?:^|[\s\]])(promisor|partialclone)[ \t]*(?:=[ \t]*(?!false\b)|[#;\r\n]|$)/im

/** With these, git looks into repositories that only its commits name, with their own settings. */
const ENTERS = /(?:^|[\s\]])(submodule|submoduleSummary)[ \t]*=[ \t]*(?!(?:false|short)[ \t]*(?:[#;\r\n]|$))\S/im

/** The one hook that git runs when a command that looks brings the index up to date. */
const HOOK = 'post-index-change'

/**
 * Why git, which only looks, may run a program of the repository's choosing in this folder: its own settings name one, or
 * those of a repository within it. A clone brings no such settings, an unpacked archive can. A clause; undefined: it does not.
 */
export async function findGitSettingsTrouble(folder: string): Promise<string | undefined> {
  const top = await findTop(folder)
  if (top === undefined) return undefined
  const seen = new Set<string>()
  const open = [top]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    if (seen.size > MAX_REPOSITORIES) return `there are too many repositories in ${top} to be looked through`
    const found = await lookAt(at)
    if (typeof found === 'string') return found
    open.push(...found)
  }
  return undefined
}

/** Why git may run a program in this work tree, or the work trees within it that git looks into too. */
async function lookAt(top: string): Promise<string | string[]> {
  const files = await settingsFiles(top)
  const modules = files && (await settingsOfModules(files.map(file => join(dirname(file), 'modules'))))
  if (files === undefined || modules === undefined) return `where the git settings of ${top} lie is not plain`
  const gitFolder = dirname(files[1])
  const hookFolders = [join(dirname(files[0]), 'hooks')]
  let sha256 = false
  for (const file of [...files, ...modules]) {
    const text = await readSettings(file)
    if (text === undefined) return `the git settings in ${file} cannot be read through`
    const [, name] = STARTS_PROGRAMS.exec(text) ?? FETCHES.exec(text) ?? ENTERS.exec(text) ?? []
    if (name) return `the repository's own git settings (${name}) may make git run a program`
    const named = toHookFolders(text, top)
    if (named === undefined) return `the repository's own git settings (hooksPath) may make git run a program`
    hookFolders.push(...named)
    if (!files.includes(file)) continue
    if (/objectformat[ \t]*=[ \t]*"?sha256/i.test(text)) sha256 = true
    if (!(await isWorkTree(text, gitFolder, top))) return `the repository's own git settings (worktree) lead elsewhere`
  }
  for (const hooks of [...hookFolders, ...modules.map(file => join(dirname(file), 'hooks'))]) {
    if (await stat(join(hooks, HOOK)).catch(() => undefined)) return `git would run the repository's hook ${HOOK}`
  }
  const links = await findGitLinks(gitFolder, { sha256 })
  if (links === undefined) return `the repositories that stand in ${top} cannot be found out`
  const within = links.map(link => resolve(top, link))
  const isThere = await Promise.all(within.map(path => stat(join(path, '.git')).catch(() => undefined)))
  return within.filter((_, index) => isThere[index] !== undefined)
}

/** Whether what the settings say of the work tree, if anything, is this one. */
async function isWorkTree(text: string, gitFolder: string, top: string): Promise<boolean> {
  for (const [, value = ''] of text.matchAll(/(?:^|[\s\]])worktree[ \t]*=[ \t]*(.*?)[ \t]*$/gim)) {
    const named = resolve(gitFolder, value.replace(/^"(.*)"$/, '$1'))
    const [one, other] = await Promise.all([named, top].map(path => realpath(path).catch(() => undefined)))
    if (one === undefined || one !== other) return false
  }
  return true
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
