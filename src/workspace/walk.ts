import { realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { isHarnessError } from '../cards/index.js'
import { throwIfAborted, toFileError } from './file-error.js'
import { refuseIrregular } from './open-file.js'
import { isInside } from './resolve-path.js'
import type { GlobFilter } from './walk-glob.js'
import {
  below,
  type ListedDirectory,
  type ListedEntry,
  type Listing,
  type ListingContext,
  listDirectory,
} from './walk-listing.js'
import { IgnoreRules, readRulesAbove } from './walk-rules.js'

const MAX_ENTRIES = 200_000
const SLICE_MS = 10
const LISTINGS_AHEAD = 8
const MAX_SECRETS_NAMED = 5

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

/** The entries of a tree in path order (byte order, segment by segment). */
export interface Walk extends AsyncIterable<WalkEntry> {
  readonly summary: WalkSummary
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
  return { summary, [Symbol.asyncIterator]: () => entriesOf(options, summary) }
}

async function* entriesOf(options: WalkOptions, summary: WalkSummary): AsyncGenerator<WalkEntry> {
  throwIfAborted(options.signal)
  const { realPath, isDirectory } = await openStart(options)
  if (!isDirectory) {
    yield { path: options.start, realPath, relativePath: '', kind: 'file' }
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

/** An entry that the walk has still to come to. */
interface Pending {
  entry: ListedEntry
  parent: ListedDirectory
  /** Those in force in the parent. */
  rules: IgnoreRules
  /** Set once the directory is being listed, ahead of its turn. */
  listing?: Promise<Listing>
}

async function* descend(
  start: ListedDirectory,
  context: ListingContext,
  options: WalkOptions,
  summary: WalkSummary,
): AsyncGenerator<WalkEntry> {
  // The next entry in path order is on top.
  const stack: Pending[] = []
  const open = async (directory: ListedDirectory, listed: Promise<Listing>) => {
    const listing = await listed
    addToSummary(listing, directory, options, summary)
    for (const entry of listing.entries.reverse()) stack.push({ entry, parent: directory, rules: listing.rules })
    listAhead(stack, context)
  }
  await open(start, listDirectory(start, context))
  let sliceEnd = performance.now() + SLICE_MS
  for (let pending = stack.pop(); pending !== undefined; pending = stack.pop()) {
    throwIfAborted(options.signal)
    if (pending.entry.wanted) yield toWalkEntry(pending, options.start)
    if (pending.entry.enter) {
      if (summary.seen >= context.maxEntries) {
        summary.truncated = true
        return
      }
      const directory = toListedDirectory(pending)
      await open(directory, pending.listing ?? listDirectory(directory, context))
    }
    if (performance.now() < sliceEnd) continue
    await yieldToLoop()
    sliceEnd = performance.now() + SLICE_MS
  }
}

// Directories near the top of the stack are read while the entries before them are consumed.
function listAhead(stack: Pending[], context: ListingContext): void {
  let running = 0
  for (let index = stack.length - 1; index >= 0 && index >= stack.length - 64 && running < LISTINGS_AHEAD; index--) {
    const pending = stack[index]!
    if (!pending.entry.enter) continue
    running += 1
    pending.listing ??= listDirectory(toListedDirectory(pending), context)
  }
}

function toListedDirectory({ entry, parent, rules }: Pending): ListedDirectory {
  return {
    realPath: join(parent.realPath, entry.name),
    relativePath: below(parent.relativePath, entry.name),
    rulesPath: below(parent.rulesPath, entry.name),
    depth: parent.depth + 1,
    rules,
  }
}

function toWalkEntry({ entry, parent }: Pending, start: string): WalkEntry {
  const relativePath = below(parent.relativePath, entry.name)
  return {
    path: join(start, relativePath),
    realPath: entry.realPath ?? join(parent.realPath, entry.name),
    relativePath,
    kind: entry.directory ? 'directory' : 'file',
  }
}

function addToSummary(listing: Listing, directory: ListedDirectory, options: WalkOptions, summary: WalkSummary): void {
  if (listing.error !== undefined) {
    if (isHarnessError(listing.error)) throw listing.error
    if (directory.relativePath === '') throw toFileError(listing.error, 'list', options.spoken ?? options.start)
    summary.unreadable += 1
  }
  summary.seen += listing.seen
  summary.secrets += listing.secretNames.length
  summary.linksOutside += listing.linksOutside
  for (const name of listing.secretNames) {
    if (summary.secretPaths.length < MAX_SECRETS_NAMED) summary.secretPaths.push(below(directory.relativePath, name))
  }
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
