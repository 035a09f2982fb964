import { sep } from 'node:path'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { isHarnessError } from '../cards/index.js'
import { throwIfAborted, toFileError } from './file-error.js'
import type { WalkBatch, WalkEntry, WalkOptions, WalkSummary } from './walk.js'
import {
  below,
  type ListedDirectory,
  type ListedEntry,
  type Listing,
  type ListingContext,
  listDirectory,
} from './walk-listing.js'
import type { IgnoreRules } from './walk-rules.js'

const SLICE_MS = 10
const BATCH_ENTRIES = 32
const LISTINGS_AHEAD = 8
const ENTRIES_LOOKED_AHEAD = 64
const MAX_SECRETS_NAMED = 5

/** A directory that the walk is in. */
interface Level {
  directory: ListedDirectory
  /** Those in force in the directory. */
  rules: IgnoreRules
  entries: ListedEntry[]
  /** The entry that comes next. */
  next: number
  /** What the paths of its entries begin with: as spoken, and real. */
  path: string
  realPath: string
}

/** Walks down from a directory. Adds to `summary` what is left out. */
export async function* descend(
  start: ListedDirectory,
  context: ListingContext,
  options: WalkOptions,
  summary: WalkSummary,
): AsyncGenerator<WalkBatch> {
  const levels: Level[] = []
  let entries: WalkEntry[] = []
  const takeBatch = (): WalkBatch => {
    const batch = { entries, summary: { ...summary, secretPaths: [...summary.secretPaths] } }
    entries = []
    return batch
  }
  const open = async (directory: ListedDirectory, path: string, listed: Promise<Listing>) => {
    const listing = await listed
    addToSummary(listing, directory, options, summary)
    levels.push(toLevel(directory, path, listing))
    if (!context.pace.blocks) listAhead(levels, context)
  }
  let sliceEnd = performance.now() + SLICE_MS
  try {
    await open(start, options.start, listDirectory(start, context))
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      throwIfAborted(options.signal)
      const entry = level.entries[level.next++]
      if (entry === undefined) {
        levels.pop()
        continue
      }
      if (entry.wanted && entries.push(toWalkEntry(entry, level)) === BATCH_ENTRIES) yield takeBatch()
      if (entry.enter) {
        if (summary.seen >= context.maxEntries) {
          summary.truncated = true
          break
        }
        const directory = toListedDirectory(entry, level)
        await open(directory, level.path + entry.name, entry.listing ?? listDirectory(directory, context))
      }
      if (performance.now() < sliceEnd) continue
      await yieldToLoop()
      sliceEnd = performance.now() + SLICE_MS
    }
  } catch (error) {
    if (entries.length > 0) yield takeBatch()
    throw error
  }
  if (entries.length > 0) yield takeBatch()
}

// While calls of the thread pool are slow, the directories that come next are read as the entries before them are consumed.
function listAhead(levels: readonly Level[], context: ListingContext): void {
  let running = 0
  let looked = 0
  for (const level of levels.toReversed()) {
    for (let index = level.next; index < level.entries.length; index++) {
      if (running === LISTINGS_AHEAD || looked++ === ENTRIES_LOOKED_AHEAD) return
      const entry = level.entries[index]!
      if (!entry.enter) continue
      running += 1
      entry.listing ??= listDirectory(toListedDirectory(entry, level), context)
    }
  }
}

function toLevel(directory: ListedDirectory, path: string, { entries, rules }: Listing): Level {
  return { directory, rules, entries, next: 0, path: withSeparator(path), realPath: withSeparator(directory.realPath) }
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep
}

function toListedDirectory({ name }: ListedEntry, { directory, rules, realPath }: Level): ListedDirectory {
  return {
    realPath: realPath + name,
    relativePath: below(directory.relativePath, name),
    rulesPath: below(directory.rulesPath, name),
    depth: directory.depth + 1,
    rules,
  }
}

// Joined by hand: normalising each path would take a third of the walk.
function toWalkEntry(entry: ListedEntry, level: Level): WalkEntry {
  return {
    path: level.path + entry.name,
    realPath: entry.realPath ?? level.realPath + entry.name,
    relativePath: below(level.directory.relativePath, entry.name),
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
