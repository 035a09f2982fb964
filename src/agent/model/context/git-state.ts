import type { Launcher } from '../../../registry/index.js'

const TIMEOUT_MS = 1000
const MAX_OUTPUT_BYTES = 256 * 1024

// Nothing that a repository's own settings name is run, and nothing is written.
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

/** Branch and number of changed files, as one line; undefined outside a repository, without git, or if it takes long. */
export async function readGitState(launcher: Launcher, owner: string, cwd: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    let output = ''
    const child = await launcher.launch(owner, STATUS, {
      cwd,
      env: { GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      onOutput: (chunk, stream) => {
        if (stream === 'stdout' && output.length < MAX_OUTPUT_BYTES) output += Buffer.from(chunk).toString('utf8')
      },
    })
    const late = new Promise<undefined>(resolve => {
      timer = setTimeout(resolve, TIMEOUT_MS, undefined)
    })
    const exit = await Promise.race([child.exited, late])
    if (exit === undefined) void child.kill()
    return exit?.exitCode === 0 ? toGitState(output) : undefined
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
