import type { Dirent } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { isInside } from './resolve-path.js'
import { isSecretName } from './secret-names.js'
import { readDirents } from './walk-dirents.js'
import type { GlobFilter } from './walk-glob.js'
import type { Pace } from './walk-pace.js'
import type { IgnoreRules } from './walk-rules.js'

const SLICE_MS = 10

/** What holds for a whole walk. */
export interface ListingContext {
  /** Real paths. */
  roots: readonly string[]
  /** Real paths that are left out. */
  withheld: readonly string[]
  filter: GlobFilter | undefined
  ignoreFiles: boolean
  maxEntries: number
  pace: Pace
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
  realPath: string | undefined
  /** Set once the directory is being listed, ahead of its turn. */
  listing: Promise<Listing> | undefined
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
    const dirents = await readDirents(directory.realPath, context.maxEntries, context.pace)
    const withheld = namesWithheld(directory.realPath, context)
    listing.seen = dirents.length
    if (context.ignoreFiles) listing.rules = await rulesWithin(directory, dirents)
    let sliceEnd = performance.now() + SLICE_MS
    for (const dirent of dirents) {
      if (withheld?.has(dirent.name)) continue
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

// Names of this directory that the walk leaves out; usually none.
function namesWithheld(realPath: string, { withheld }: ListingContext): Set<string> | undefined {
  const names = withheld.filter(path => dirname(path) === realPath).map(path => basename(path))
  return names.length === 0 ? undefined : new Set(names)
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
  if (listing.rules.ignores(directory.rulesPath, name, isDirectory)) return
  const hidden = name.startsWith('.') && filter?.namesHidden !== true
  const fits = filter === undefined || filter.matches(below(directory.relativePath, name))
  if (isDirectory) {
    const wanted = fits && !hidden && (filter?.directories ?? false) !== false
    const enter = !hidden && directory.depth < (filter?.maxDepth ?? Number.POSITIVE_INFINITY)
    if (wanted || enter) listing.entries.push(toEntry(name, true, wanted, enter))
    return
  }
  if (!fits || filter?.directories === true) return
  if (isSecretName(name)) {
    listing.secretNames.push(name)
    return
  }
  if (hidden) return
  if (dirent.isSymbolicLink()) return classifyLink(name, directory, context, listing)
  listing.entries.push(toEntry(name, false, true, false))
}

function toEntry(name: string, directory: boolean, wanted: boolean, enter: boolean, realPath?: string): ListedEntry {
  return { name, directory, wanted, enter, realPath, listing: undefined }
}

async function classifyLink(name: string, directory: ListedDirectory, context: ListingContext, listing: Listing) {
  try {
    const target = await realpath(join(directory.realPath, name))
    if (!(await stat(target)).isFile()) return
    if (context.withheld.some(path => isInside(path, target))) return
    if (!context.roots.some(root => isInside(root, target))) listing.linksOutside += 1
    else if (isSecretName(basename(target))) listing.secretNames.push(name)
    else listing.entries.push(toEntry(name, false, true, false, target))
  } catch {
    // Leads nowhere.
  }
}

/** `name` in a directory whose relative path may be empty. */
export function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}
