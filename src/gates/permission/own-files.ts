import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { isInside, toPathKey } from '../../workspace/index.js'

/** One of Deckhand's own files, or a folder with all that is in it. Absolute. */
export interface OwnFile {
  readonly path: string
  /** For messages: "Deckhand's config file". */
  readonly what: string
}

interface OwnPlaces {
  configPath?: string
  credentialsPath?: string
  stateDir: string
}

/** Where Deckhand keeps what no tool may touch: its config file in use, credentials, rules, logs, checkpoints (J3). */
export function ownFilesOf({ configPath, credentialsPath, stateDir }: OwnPlaces): OwnFile[] {
  const config = configPath !== undefined && isAbsolute(configPath) ? [configPath] : []
  const folders = new Set([stateDir, ...config.map(path => dirname(path))])
  return [
    ...config.map(path => ({ path, what: "Deckhand's config file" })),
    ...(credentialsPath ? [{ path: credentialsPath, what: "Deckhand's credentials" }] : []),
    ...[...folders].flatMap(folder => [
      { path: join(folder, 'credentials.yml'), what: "Deckhand's credentials" },
      { path: join(folder, 'credentials'), what: "Deckhand's credentials" },
    ]),
    { path: join(stateDir, 'permissions.json'), what: "Deckhand's remembered rules" },
    { path: join(stateDir, 'sessions'), what: "Deckhand's session logs" },
    { path: join(stateDir, 'checkpoints'), what: "Deckhand's checkpoints" },
  ]
}

/** Deckhand's own files as they stood on the disk at one moment: by their own paths, and by where links lead. */
export class OwnFiles {
  readonly #places: readonly Place[]

  private constructor(places: readonly Place[]) {
    this.#places = places
  }

  static async lookUp(files: readonly OwnFile[]): Promise<OwnFiles> {
    const places = await Promise.all(
      files.map(async file => ({
        ...file,
        key: toPathKey(file.path),
        realKey: toPathKey(await realPathOf(file.path)),
      })),
    )
    return new OwnFiles(places)
  }

  /** What the path is, if it is one of ours or lies in one. `realPath` is free of links. */
  async find(realPath: string): Promise<string | undefined> {
    const wanted = toPathKey(realPath)
    const found = this.#places.find(({ key, realKey }) => isInside(key, wanted) || isInside(realKey, wanted))
    return found?.what ?? this.#findHardLink(realPath)
  }

  /** What of ours a text names by its whole path, in code of any language. */
  findInText(text: string): string | undefined {
    const wanted = toPathKey(text)
    return this.#places.find(({ key, realKey }) => hasPath(wanted, key) || hasPath(wanted, realKey))?.what
  }

  /** What of ours lies on a path that `matches`. */
  findMatch(matches: (path: string) => boolean): string | undefined {
    return this.#places.find(({ key, realKey }) => matches(key) || matches(realKey))?.what
  }

  // Another name for the same bytes: no path tells it from any other file.
  async #findHardLink(realPath: string): Promise<string | undefined> {
    const found = await stat(realPath).catch(() => undefined)
    if (!found?.isFile() || found.nlink < 2) return undefined
    for (const { path, what } of this.#places) {
      const own = await stat(path).catch(() => undefined)
      if (own?.isFile() && own.ino === found.ino && own.dev === found.dev) return what
    }
    return undefined
  }
}

interface Place extends OwnFile {
  readonly key: string
  readonly realKey: string
}

function hasPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    if (!/[\w.-]/.test(text[at + path.length] ?? '')) return true
  }
  return false
}

/** The real path of something that may not exist yet: of its nearest folder that does. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(await realPathOf(folder), basename(path))
  }
}
