import { realpath, stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { throwIfAborted, toFileError } from './file-error.js'
import { refuseIrregular } from './open-file.js'
import { isInside } from './resolve-path.js'
import { descend } from './walk-descend.js'
import type { GlobFilter } from './walk-glob.js'
import type { ListingContext } from './walk-listing.js'
import { Pace } from './walk-pace.js'
import { IgnoreRules, readRulesAbove } from './walk-rules.js'

const MAX_ENTRIES = 200_000

export interface WalkOptions {
  /** Absolute, and inside the roots: a directory, or a file, which is then the only entry. */
  start: string
  /** The start as messages name it; default: the path. */
  spoken?: string
  /** Real absolute paths; a link to a file counts only if it leads into one of them. */
  roots: readonly string[]
  /** Real absolute paths that are left out, with all below them, as if they were not there. */
  withheld?: readonly string[]
  /** Default: every file that is not hidden. */
  filter?: GlobFilter
  /** False: what .gitignore says does not count. */
  ignoreFiles?: boolean
  signal?: AbortSignal
  /** About how many names are looked at before the walk stops; default 200,000. */
  maxEntries?: number
}

export interface WalkEntry {
  /** Absolute, in the spelling of the start. */
  path: string
  /** Absolute, without links. */
  realPath: string
  /** From the start, with `/`; empty for the start itself. */
  relativePath: string
  kind: 'file' | 'directory'
}

/** What a walk left out. Complete once the walk has ended. */
export interface WalkSummary {
  /** Names looked at. */
  seen: number
  /** Files that would have been entries but for a name that says secret. */
  secrets: number
  /** The first few of those, relative to the start. */
  secretPaths: string[]
  /** Links to files outside the roots. */
  linksOutside: number
  /** Directories that could not be read. */
  unreadable: number
  /** The walk stopped at its limit. */
  truncated: boolean
  /** The start is, or lies in, the `.git` directory, which is never walked. */
  gitDirectory: boolean
}

/** Some entries, and what was left out up to the last of them. */
export interface WalkBatch {
  entries: WalkEntry[]
  summary: WalkSummary
}

/** The entries of a tree in path order (byte order, segment by segment). */
export interface Walk extends AsyncIterable<WalkEntry> {
  readonly summary: WalkSummary
  /** The same entries in the same order, some at a time, which is faster. */
  batches(): AsyncIterable<WalkBatch>
}

/**
 * Walks a tree the way its own .gitignore files see it, in a repository or not. Hidden names only where the filter names
 * them, never `.git`, never through a link to a directory. Iterating throws NOT_FOUND, NOT_A_FILE, FILE_FAILED, ABORTED.
 */
export function walk(options: WalkOptions): Walk {
  const summary: WalkSummary = {
    seen: 0,
    secrets: 0,
    secretPaths: [],
    linksOutside: 0,
    unreadable: 0,
    truncated: false,
    gitDirectory: false,
  }
  const batches = () => batchesOf(options, summary)
  return { summary, batches, [Symbol.asyncIterator]: () => entriesOf(batches(), options.signal) }
}

async function* entriesOf(
  batches: AsyncIterable<WalkBatch>,
  signal: AbortSignal | undefined,
): AsyncGenerator<WalkEntry> {
  for await (const { entries } of batches) {
    for (const entry of entries) {
      throwIfAborted(signal)
      yield entry
    }
  }
}

async function* batchesOf(options: WalkOptions, summary: WalkSummary): AsyncGenerator<WalkBatch> {
  throwIfAborted(options.signal)
  const { realPath, isDirectory } = await openStart(options)
  if (!isDirectory) {
    yield { entries: [{ path: options.start, realPath, relativePath: '', kind: 'file' }], summary: { ...summary } }
    return
  }
  summary.gitDirectory = isGitDirectory(realPath, options.roots)
  if (summary.gitDirectory) return
  const above = options.ignoreFiles === false ? undefined : await readRulesAbove(realPath, options.roots)
  const context: ListingContext = {
    roots: options.roots,
    withheld: options.withheld ?? [],
    filter: options.filter,
    ignoreFiles: options.ignoreFiles !== false,
    maxEntries: options.maxEntries ?? MAX_ENTRIES,
    pace: new Pace(),
  }
  const startDirectory = {
    realPath,
    relativePath: '',
    rulesPath: above?.prefix ?? '',
    depth: 1,
    rules: above?.rules ?? IgnoreRules.none,
  }
  yield* descend(startDirectory, context, options, summary)
}

async function openStart(options: WalkOptions): Promise<{ realPath: string; isDirectory: boolean }> {
  try {
    const realPath = await realpath(options.start)
    const stats = await stat(realPath, { bigint: true })
    if (!stats.isDirectory()) refuseIrregular(stats, options.spoken ?? options.start)
    return { realPath, isDirectory: stats.isDirectory() }
  } catch (error) {
    throw toFileError(error, 'search', options.spoken ?? options.start)
  }
}

function isGitDirectory(realPath: string, roots: readonly string[]): boolean {
  const root = roots.find(candidate => isInside(candidate, realPath))
  return root !== undefined && relative(root, realPath).split(sep).includes('.git')
}
