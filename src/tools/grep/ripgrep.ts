import { dirname, sep } from 'node:path'
import type { ActiveExecution } from '../../registry/index.js'
import { toArguments } from './ripgrep-arguments.js'

const MAX_PATHS_BYTES = process.platform === 'win32' ? 24 * 1024 : 256 * 1024
const LIMIT_MS = 20_000
const MAX_FAILURES = 3

export interface RipgrepOptions {
  /** Absolute path of the program. */
  program: string
  launch: ActiveExecution['launch']
  literals: readonly string[]
  ignoreCase: boolean
  signal: AbortSignal
  /** Told why an answer is missing. */
  debug(problem: string): void
}

/** Asks ripgrep which files may have a hit. It reads the files that it is given and no others. */
export class Ripgrep {
  private failures = 0
  private isStopped = false
  private readonly running = new Set<() => Promise<void>>()
  private readonly leading: readonly string[]

  constructor(private readonly options: RipgrepOptions) {
    this.leading = toArguments(options.literals, options.ignoreCase)
  }

  /** False once it was stopped, or has failed again and again. */
  get isUsable(): boolean {
    return !this.isStopped && this.failures < MAX_FAILURES && !this.options.signal.aborted
  }

  /** Of some files, by absolute path, those that may have a hit; undefined if there is no full answer. Never rejects. */
  async find(paths: readonly string[]): Promise<Set<string> | undefined> {
    if (paths.length === 0) return new Set()
    const directory = commonDirectory(paths)
    const named = new Map(paths.map(path => [toArgument(path.slice(directory.length)), path]))
    const lengthBytes = [...named.keys()].reduce((sum, name) => sum + Buffer.byteLength(name) + 1, 0)
    if (directory === '' || lengthBytes > MAX_PATHS_BYTES) return undefined
    try {
      const output = await this.run(directory, [...named.keys()], lengthBytes)
      const found = new Set<string>()
      for (const name of output.split('\0').slice(0, -1)) {
        const path = named.get(name)
        if (path === undefined) throw new Error('it names a file that it was not asked for')
        found.add(path)
      }
      return found
    } catch (error) {
      this.failures += 1
      if (!this.isStopped && !this.options.signal.aborted)
        this.options.debug(`ripgrep was of no help: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }

  /** Ends what runs. Settles when it is gone. */
  async stop(): Promise<void> {
    this.isStopped = true
    await Promise.all([...this.running].map(kill => kill()))
  }

  // A file that cannot be read makes the exit code 2.
  private async run(directory: string, names: string[], maxBytes: number): Promise<string> {
    const { program, launch, signal } = this.options
    const chunks: Uint8Array[] = []
    let sizeBytes = 0
    const onOutput = (chunk: Uint8Array, stream: 'stdout' | 'stderr') => {
      if (stream === 'stderr') return
      sizeBytes += chunk.length
      if (sizeBytes <= maxBytes) chunks.push(chunk)
    }
    const started = await launch([program, ...this.leading, ...names], {
      cwd: directory,
      env: { RIPGREP_CONFIG_PATH: undefined },
      onOutput,
    })
    const kill = () => started.kill()
    const timer = setTimeout(kill, LIMIT_MS)
    signal.addEventListener('abort', kill)
    this.running.add(kill)
    try {
      // It came while the process was starting.
      if (!this.isUsable) await kill()
      const exit = await started.exited
      if (exit.exitCode !== 0 && exit.exitCode !== 1) throw new Error(`it ended with ${exit.signal ?? exit.exitCode}`)
      if (sizeBytes > maxBytes) throw new Error('it names more files than it was given')
      return Buffer.concat(chunks).toString()
    } finally {
      this.running.delete(kill)
      signal.removeEventListener('abort', kill)
      clearTimeout(timer)
    }
  }
}

// A name that begins with a dash would be an option, and a dash alone is stdin, also after `--`.
function toArgument(name: string): string {
  return name.startsWith('-') ? `.${sep}${name}` : name
}

/** The deepest directory that holds all of some absolute paths, with a separator at its end; empty if there is none. */
function commonDirectory(paths: readonly string[]): string {
  let directory = withSeparator(dirname(paths[0] ?? ''))
  for (const path of paths) {
    while (!path.startsWith(directory)) {
      const parent = withSeparator(dirname(directory))
      if (parent === directory) return ''
      directory = parent
    }
  }
  return directory
}

function withSeparator(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep
}
