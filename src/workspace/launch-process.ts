import { type ChildProcess, spawn } from 'node:child_process'
import { type Stats, statSync } from 'node:fs'
import type { Context } from 'cordis'
import { HarnessError } from '../cards/index.js'

type Launch = Context['launcher']['launch']
export type Command = Parameters<Launch>[1]
export type LaunchOptions = Parameters<Launch>[2]

/** Throws MISSING_CWD if `path` is no directory. At once: some microseconds, where a trip through the thread pool costs more. */
export function checkDirectory(path: string): void {
  let found: Stats | undefined
  try {
    found = statSync(path, { throwIfNoEntry: false })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new HarnessError('MISSING_CWD', `The working directory ${path} cannot be used (${code}).`, { cause })
  }
  if (found?.isDirectory()) return
  const reason = found ? 'is not a directory' : 'does not exist'
  throw new HarnessError('MISSING_CWD', `The working directory ${path} ${reason}.`)
}

/**
 * Starts a process as the leader of a group and a session of its own, so that it has no terminal to ask on. Its stdin holds
 * `options.input` or nothing and never is the agent's (B27). Throws SPAWN_FAILED.
 */
export function startProcess(command: Command, options: LaunchOptions, env: NodeJS.ProcessEnv): ChildProcess {
  const [file, ...args] = command
  try {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env,
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: options.verbatimArguments ?? false,
      stdio: [options.input === undefined && !options.keepInput ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    if (child.stdin) {
      // A process that does not read its input is no error.
      child.stdin.on('error', () => {})
      if (!options.keepInput) child.stdin.end(options.input)
    }
    return child
  } catch (error) {
    throw toSpawnError(file, error)
  }
}

/** Settles when the process runs; throws SPAWN_FAILED. */
export async function waitForStart(child: ChildProcess, file: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', error => reject(toSpawnError(file, error)))
  })
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such program on PATH',
  EACCES: 'it is not executable',
  E2BIG: 'its arguments and environment are too long for this system',
  ENAMETOOLONG: 'its arguments are too long for this system',
  EAGAIN: 'this user has too many processes',
  EMFILE: 'this process has too many open files',
  ENFILE: 'this system has too many open files',
  ENOMEM: 'there is not enough memory',
  ERR_INVALID_ARG_VALUE: 'its name, an argument or the environment holds a NUL character',
}

function toSpawnError(file: string, error: unknown): HarnessError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
  const name = file.replaceAll('\0', '\\0')
  return new HarnessError('SPAWN_FAILED', `Cannot start ${name}: ${REASONS[code] ?? code}.`, { cause: error })
}
