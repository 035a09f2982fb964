import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Command, Launcher } from '../../../registry/index.js'
import { findRepositoryTop } from '../../../workspace/index.js'

const TIMEOUT_MS = 1000
const MAX_OUTPUT_BYTES = 256 * 1024
const MAX_SETTINGS_BYTES = 64 * 1024

// Filters of the user's own settings run, as in every command; those of the repository could be anybody's.
const FILTERS = ['git', 'config', '--includes', '--show-scope', '--get-regexp', '^filter\\.'] as const
const BRANCH = ['git', 'symbolic-ref', '--quiet', '--short', 'HEAD'] as const
const STATUS = [
  'git',
  '--no-optional-locks',
  '-c',
  'core.fsmonitor=false',
  'status',
  '--porcelain=v1',
  '--branch',
  '--ignore-submodules=all',
] as const

/**
 * Branch and number of changed files, as one line; undefined outside a repository, without git, or if it takes long. Runs
 * nothing that the repository's settings name.
 */
export async function readGitState(launcher: Launcher, owner: string, cwd: string): Promise<string | undefined> {
  const isElsewhere = process.env.GIT_DIR !== undefined || process.env.GIT_COMMON_DIR !== undefined
  const top = isElsewhere ? undefined : topOf(cwd)
  // Each start of git is a good part of what a first prompt takes.
  if (!isElsewhere && top === undefined) return undefined
  const isPlain = top !== undefined && hasPlainSettings(top)
  // No other repository than the one whose settings were read, should git see none in it.
  const env: Record<string, string> = isPlain ? { GIT_CEILING_DIRECTORIES: dirname(top) } : {}
  const deadline = Date.now() + TIMEOUT_MS
  const git = (command: Command) => runBriefly(launcher, { owner, cwd, env, command, deadline })
  const isSafe = isPlain || (await hasNoFilters(git))
  if (isSafe === undefined) return undefined
  if (isSafe) {
    const status = await git(STATUS)
    return status?.exitCode === 0 ? toGitState(status.output) : undefined
  }
  const branch = await git(BRANCH)
  return branch?.exitCode === 0 ? `branch ${branch.output.trim()}` : undefined
}

type Git = (command: Command) => Promise<{ exitCode?: number; output: string } | undefined>

/** Undefined without git. */
async function hasNoFilters(git: Git): Promise<boolean | undefined> {
  const filters = await git(FILTERS)
  if (filters === undefined) return undefined
  return filters.exitCode === 1 || (filters.exitCode === 0 && !/^(?:local|worktree)\t/m.test(filters.output))
}

function topOf(cwd: string): string | undefined {
  try {
    return findRepositoryTop(realpathSync(cwd))
  } catch {
    return undefined
  }
}

/** True if a look into the repository's settings shows that they name no filter; false also where git must be asked. */
function hasPlainSettings(top: string): boolean {
  const folder = join(top, '.git')
  const path = join(folder, 'config')
  try {
    const file = lstatSync(path)
    if (!lstatSync(folder).isDirectory() || !file.isFile() || file.size > MAX_SETTINGS_BYTES) return false
    // More settings may stand elsewhere.
    if (dirname(top).includes(delimiter) || existsSync(join(folder, 'commondir'))) return false
    return !/filter|include|worktree/i.test(readFileSync(path, 'latin1'))
  } catch {
    return false
  }
}

async function runBriefly(
  launcher: Launcher,
  run: { owner: string; cwd: string; env: Readonly<Record<string, string>>; command: Command; deadline: number },
): ReturnType<Git> {
  const { owner, cwd, env, command, deadline } = run
  let timer: NodeJS.Timeout | undefined
  try {
    let output = ''
    const child = await launcher.launch(owner, command, {
      cwd,
      // Missing objects are not fetched: the settings of a remote name the program that would bring them.
      env: { ...env, GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C' },
      onOutput: (chunk, stream) => {
        if (stream === 'stdout' && output.length < MAX_OUTPUT_BYTES) output += Buffer.from(chunk).toString('utf8')
      },
    })
    const late = new Promise<undefined>(resolve => {
      timer = setTimeout(resolve, Math.max(0, deadline - Date.now()), undefined)
    })
    const exit = await Promise.race([child.exited, late])
    if (exit === undefined) void child.kill()
    return exit && { ...exit, output }
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

/** From the output of `git status --porcelain --branch`. */
function toGitState(output: string): string | undefined {
  const [head = '', ...changed] = output.split('\n').filter(line => line !== '')
  const name = /^## (?:No commits yet on )?(.+?)(?:\.\.\.|$| \[)/.exec(head)?.[1]
  if (name === undefined) return undefined
  const branch = name === 'HEAD (no branch)' ? 'no branch (detached HEAD)' : `branch ${name}`
  const isCut = output.length >= MAX_OUTPUT_BYTES
  const files = changed.length === 1 ? '1 file' : `${isCut ? 'over ' : ''}${changed.length} files`
  return changed.length === 0 ? `${branch}, nothing uncommitted` : `${branch}, ${files} with uncommitted changes`
}
