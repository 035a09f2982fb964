import type { Dirent } from 'node:fs'
import { opendir, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { isInside } from './resolve-path.js'
import { isSecretName } from './secret-names.js'
import type { GlobFilter } from './walk-glob.js'
import { sortByNameBytes } from './walk-order.js'
import type { IgnoreRules } from './walk-rules.js'

const SLICE_MS = 10
const READ_AHEAD_ENTRIES = 1024

/** What holds for a whole walk. */
export interface ListingContext {
  /** Real paths. */
  roots: readonly string[]
  /** Real paths that are left out. */
  withheld: readonly string[]
  filter: GlobFilter | undefined
  ignoreFiles: boolean
  maxEntries: number
}

/** One directory of a walk. Paths below it are relative, with `/`. */
export interface ListedDirectory {
  /** Real and absolute. */
  realPath: string
  /** From the start of the walk; empty for the start. */
  relativePath: string
  /** From the top that the ignore rules count from. */
  rulesPath: string
  /** 1 for the start. */
  depth: number
  /** The rules of the directories above. */
  rules: IgnoreRules
}

export interface ListedEntry {
  name: string
  directory: boolean
  /** The walk looks for it. */
  wanted: boolean
  /** A directory that may hold what the walk looks for. */
  enter: boolean
  /** Of a link: where it leads. */
  realPath?: string
}

/** A directory's entries in byte order of their names, without what the walk leaves out. */
export interface Listing {
  entries: ListedEntry[]
  rules: IgnoreRules
  /** How many names were looked at. */
  seen: number
  secretNames: string[]
  linksOutside: number
  /** Why the directory could not be read, or the filter not be applied. */
  error?: unknown
}

/** Lists a directory; never rejects, so that it can run ahead of the walk. */
export async function listDirectory(directory: ListedDirectory, context: ListingContext): Promise<Listing> {
  const listing: Listing = { entries: [], rules: directory.rules, seen: 0, secretNames: [], linksOutside: 0 }
  try {
    const dirents = await readDirents(directory.realPath, context.maxEntries)
    listing.seen = dirents.length
    if (context.ignoreFiles) listing.rules = await rulesWithin(directory, dirents)
    let sliceEnd = performance.now() + SLICE_MS
    for (const dirent of dirents) {
      const link = classify(dirent, directory, context, listing)
      if (link !== undefined) await link
      if (performance.now() < sliceEnd) continue
      await yieldToLoop()
      sliceEnd = performance.now() + SLICE_MS
    }
  } catch (error) {
    listing.error = error
  }
  return listing
}

// opendir and not readdir: one answer with 100,000 entries would hold the event loop for 100 ms.
async function readDirents(path: string, maxEntries: number): Promise<Dirent[]> {
  const dirents: Dirent[] = []
  for await (const dirent of await opendir(path, { bufferSize: READ_AHEAD_ENTRIES })) {
    dirents.push(dirent)
    if (dirents.length > maxEntries) break
  }
  return sortByNameBytes(dirents)
}

async function rulesWithin(directory: ListedDirectory, dirents: Dirent[]): Promise<IgnoreRules> {
  const gitignore = dirents.some(dirent => dirent.name === '.gitignore' && dirent.isFile())
  const git = dirents.some(dirent => dirent.name === '.git')
  if (!gitignore && !git) return directory.rules
  return directory.rules.within(directory.realPath, directory.rulesPath, { git, gitignore })
}

// Only links, which are few, have to be looked up.
function classify(
  dirent: Dirent,
  directory: ListedDirectory,
  context: ListingContext,
  listing: Listing,
): Promise<void> | undefined {
  const { name } = dirent
  const { filter } = context
  if (name === '.git') return
  const isDirectory = dirent.isDirectory()
  if (!isDirectory && !dirent.isFile() && !dirent.isSymbolicLink()) return
  if (context.withheld.length > 0 && context.withheld.includes(join(directory.realPath, name))) return
  if (listing.rules.ignores(below(directory.rulesPath, name), isDirectory)) return
  const hidden = name.startsWith('.') && filter?.namesHidden !== true
  const fits = filter === undefined || filter.matches(below(directory.relativePath, name))
  if (isDirectory) {
    const wanted = fits && !hidden && (filter?.directories ?? false) !== false
    const enter = !hidden && directory.depth < (filter?.maxDepth ?? Number.POSITIVE_INFINITY)
    if (wanted || enter) listing.entries.push({ name, directory: true, wanted, enter })
    return
  }
  if (!fits || filter?.directories === true) return
  if (isSecretName(name)) {
    listing.secretNames.push(name)
    return
  }
  if (hidden) return
  if (dirent.isSymbolicLink()) return classifyLink(name, directory, context, listing)
  listing.entries.push({ name, directory: false, wanted: true, enter: false })
}

async function classifyLink(name: string, directory: ListedDirectory, context: ListingContext, listing: Listing) {
  try {
    const target = await realpath(join(directory.realPath, name))
    if (!(await stat(target)).isFile()) return
    if (context.withheld.some(path => isInside(path, target))) return
    if (!context.roots.some(root => isInside(root, target))) listing.linksOutside += 1
    else if (isSecretName(basename(target))) listing.secretNames.push(name)
    else listing.entries.push({ name, directory: false, wanted: true, enter: false, realPath: target })
  } catch {
    // Leads nowhere.
  }
}

/** `name` in a directory whose relative path may be empty. */
export function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}
