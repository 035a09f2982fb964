import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

const MAX_CONFIG_BYTES = 256 * 1024
const MAX_FOLDERS_UP = 64

/** Settings by which git runs a program, or reads more settings, while it only looks. */
const STARTS_PROGRAMS =
  /^[ \t]*(?:\[[^\]\n]*\][ \t]*)?(fsmonitor|external|textconv|command|process|clean|smudge|program|pager|path)[ \t]*=[ \t]*(?!true\b|false\b)\S/im

/**
 * Why git, which only looks, may run a program of the repository's choosing in this folder: its own settings name one. A
 * clone brings no such settings, an unpacked archive can. A clause; undefined: it does not.
 */
export async function findGitSettingsTrouble(folder: string): Promise<string | undefined> {
  const top = await findTop(folder)
  if (top === undefined) return undefined
  const files = await settingsFiles(top)
  if (files === undefined) return `where the git settings of ${top} lie is not plain`
  for (const file of files) {
    const text = await readSettings(file)
    if (text === undefined) return `the git settings in ${file} cannot be read through`
    const [, name] = STARTS_PROGRAMS.exec(text) ?? []
    if (name) return `the repository's own git settings (${name}) may make git run a program`
  }
  return undefined
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
async function settingsFiles(top: string): Promise<string[] | undefined> {
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
