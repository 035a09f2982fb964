import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { isInside, toPathKey } from '../../workspace/index.js'

/** One of Deckhand's own files, or a folder with all that is in it. Absolute. */
export interface OwnFile {
  readonly path: string
  /** For messages: "Deckhand's config file". */
  readonly what: string
  /** What the path alone says, once: a look at these files comes with each decision. */
  readonly folder: string
  readonly name: string
  readonly key: string
}

interface OwnPlaces {
  /** As it was at the start. */
  config?: { readonly plugins?: readonly { readonly source: string }[] }
  configPath?: string
  credentialsPath?: string
  stateDir: string
}

/**
 * Where Deckhand keeps what no tool may touch: its config file in use, the plugins beside it, credentials, rules, logs,
 * checkpoints (J3).
 */
export function ownFilesOf({ config: settings, configPath, credentialsPath, stateDir }: OwnPlaces): OwnFile[] {
  const config = configPath !== undefined && isAbsolute(configPath) ? [configPath] : []
  const folders = new Set([stateDir, ...config.map(path => dirname(path))])
  const files = [
    ...config.map(path => ({ path, what: "Deckhand's config file" })),
    ...config
      .flatMap(path => pluginPaths(dirname(path), settings?.plugins ?? []))
      .map(path => ({ path, what: "Deckhand's plugins" })),
    ...(credentialsPath ? [{ path: credentialsPath, what: "Deckhand's credentials" }] : []),
    ...[...folders].flatMap(folder => [
      { path: join(folder, 'credentials.yml'), what: "Deckhand's credentials" },
      { path: join(folder, 'credentials'), what: "Deckhand's credentials" },
    ]),
    { path: join(stateDir, 'permissions.json'), what: "Deckhand's remembered rules" },
    { path: join(stateDir, 'sessions'), what: "Deckhand's session logs" },
    { path: join(stateDir, 'checkpoints'), what: "Deckhand's checkpoints" },
    { path: join(stateDir, 'compile-cache'), what: "Deckhand's compiled code" },
  ]
  const paths = files.map(({ path }) => path)
  return files
    .filter(({ path }, at) => paths.indexOf(path) === at)
    .map(file => ({ ...file, folder: dirname(file.path), name: basename(file.path), key: toPathKey(file.path) }))
}

/** Plugins that live in the config's folder: who writes one of them runs code at the next start. */
function pluginPaths(folder: string, plugins: readonly { readonly source: string }[]): string[] {
  const paths = plugins.flatMap(({ source }) => {
    if (source.startsWith('~')) return []
    const isPackage = !/^(?:\.|~|[\\/])/.test(source) && !isAbsolute(source)
    return isPackage ? join(folder, 'node_modules') : resolve(folder, source)
  })
  return [...new Set(paths)].filter(path => path !== folder && isInside(folder, path))
}

/** Deckhand's own files as they stood on the disk at one moment: by their own paths, and by where links lead. */
export class OwnFiles {
  readonly #places: readonly Place[]

  /** Looks them up at once, as every write of the log does: for each call anew, some microseconds a file. */
  constructor(files: readonly OwnFile[]) {
    const folders = new Map<string, Folder>()
    this.#places = files.map(file => toPlace(file, folders))
  }

  /** What the path is, if it is one of ours or lies in one. `realPath` is free of links. */
  find(realPath: string): string | undefined {
    const wanted = toPathKey(realPath)
    const found = this.#places.find(
      ({ key, realKey }) => isInside(key, wanted) || (realKey !== key && isInside(realKey, wanted)),
    )
    return found?.what ?? this.#findHardLink(realPath)
  }

  /** What of ours a text names by its whole path, in code of any language. */
  findInText(text: string): string | undefined {
    const wanted = toPathKey(text)
    return this.#places.find(({ key, realKey }) => hasPath(wanted, key) || hasPath(wanted, realKey))?.what
  }

  /** What of ours lies anywhere below a folder. Its path is free of links. */
  findBelow(realFolder: string): string | undefined {
    const folder = toPathKey(realFolder)
    return this.#places.find(({ key, realKey }) => isInside(folder, key) || isInside(folder, realKey))?.what
  }

  /** Folders that are there for files of ours: none that is, or holds, the user's home or one of `others`. */
  foldersAround(others: readonly string[]): { folder: string; what: string; isNamedIn(text: string): boolean }[] {
    const kept = [homedir(), ...others].map(toPathKey)
    return this.#places
      .flatMap(({ key, realKey, what }) => [
        { folder: dirname(key), what },
        { folder: dirname(realKey), what },
      ])
      .filter(({ folder }) => !kept.some(other => isInside(folder, other)))
      .map(around => ({ ...around, isNamedIn: text => hasFolder(toPathKey(text), around.folder) }))
  }

  /** What of ours lies on a path that `matches`. */
  findMatch(matches: (path: string) => boolean): string | undefined {
    return this.#places.find(({ key, realKey }) => matches(key) || matches(realKey))?.what
  }

  // Another name for the same bytes: no path tells it from any other file.
  #findHardLink(realPath: string): string | undefined {
    const linked = this.#places.filter(place => place.linked !== undefined)
    if (linked.length === 0) return undefined
    const found = statOf(realPath, statSync)
    return linked.find(({ linked: own }) => own?.ino === found?.ino && own?.dev === found?.dev)?.what
  }
}

interface Place {
  readonly what: string
  readonly key: string
  readonly realKey: string
  /** A file that has more names than one. */
  readonly linked: { ino: number; dev: number } | undefined
}

interface Folder {
  readonly isThere: boolean
  /** The real path; of one that is not there, below the nearest one above that is. */
  readonly real: string
}

function toPlace({ path, what, folder: above, name, key }: OwnFile, folders: Map<string, Folder>): Place {
  const folder = toFolder(above, folders)
  const own = folder.isThere ? statOf(path, lstatSync) : undefined
  const isLink = own?.isSymbolicLink() === true
  const found = isLink ? statOf(path, statSync) : own
  const linked = found?.isFile() && found.nlink > 1 ? { ino: found.ino, dev: found.dev } : undefined
  // Only Linux has one name for one file in one folder.
  const isKnown = own === undefined || (!isLink && process.platform === 'linux')
  if (isKnown && folder.real === above) return { what, key, realKey: key, linked }
  const real = isKnown ? join(folder.real, name) : found ? realPathOf(path) : targetOf(path, folder.real)
  return { what, key, realKey: toPathKey(real), linked }
}

// A link that leads nowhere would be written through.
function targetOf(path: string, realFolder: string): string {
  try {
    return resolve(realFolder, readlinkSync(path))
  } catch {
    return join(realFolder, basename(path))
  }
}

function toFolder(path: string, known: Map<string, Folder>): Folder {
  const before = known.get(path)
  if (before !== undefined) return before
  const above = dirname(path)
  const isThere = statOf(path, statSync) !== undefined
  const real = isThere || above === path ? realPathOf(path) : join(toFolder(above, known).real, basename(path))
  const folder = { isThere, real }
  known.set(path, folder)
  return folder
}

function statOf(path: string, stat: typeof statSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

function hasPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    if (!/[\w.-]/.test(text[at + path.length] ?? '')) return true
  }
  return false
}

/** The folder itself, with or without a slash behind it, not what stands in it. */
function hasFolder(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
    if (/^[\\/]*(?![\w.\\/-])/.test(text.slice(at + folder.length, at + folder.length + 50))) return true
  }
  return false
}
