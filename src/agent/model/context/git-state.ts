import { realpathSync } from 'node:fs'
import type { Command, Launcher } from '../../../registry/index.js'
import { findRepositoryTop } from '../../../workspace/index.js'

const TIMEOUT_MS = 1000
const MAX_OUTPUT_BYTES = 256 * 1024

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
  // Most of the time that a first prompt takes outside a repository would be that of starting git to hear so.
  if (process.env.GIT_DIR === undefined && !isInRepository(cwd)) return undefined
  const deadline = Date.now() + TIMEOUT_MS
  const git = (command: Command) => runBriefly(launcher, owner, cwd, command, deadline)
  const filters = await git(FILTERS)
  if (filters === undefined) return undefined
  const isSafe = filters.exitCode === 1 || (filters.exitCode === 0 && !/^(?:local|worktree)\t/m.test(filters.output))
  if (isSafe) {
    const status = await git(STATUS)
    return status?.exitCode === 0 ? toGitState(status.output) : undefined
  }
  const branch = await git(BRANCH)
  return branch?.exitCode === 0 ? `branch ${branch.output.trim()}` : undefined
}

function isInRepository(cwd: string): boolean {
  try {
    return findRepositoryTop(realpathSync(cwd)) !== undefined
  } catch {
    return false
  }
}

async function runBriefly(
  launcher: Launcher,
  owner: string,
  cwd: string,
  command: Command,
  deadline: number,
): Promise<{ exitCode?: number; output: string } | undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    let output = ''
    const child = await launcher.launch(owner, command, {
      cwd,
      // Missing objects are not fetched: the settings of a remote name the program that would bring them.
      env: { GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C' },
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
