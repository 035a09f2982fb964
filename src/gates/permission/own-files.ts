import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { isInside, toPathKey } from '../../workspace/index.js'

/** One of Deckhand's own files, or a folder with all that is in it. Absolute. */
export interface OwnFile {
  readonly path: string
  /** For messages: "Deckhand's config file". */
  readonly what: string
}

/** Where Deckhand keeps what no tool may touch: its config file in use, credentials, rules, logs, checkpoints (J3). */
export function ownFilesOf({ configPath, stateDir }: { configPath?: string; stateDir: string }): OwnFile[] {
  const config = configPath !== undefined && isAbsolute(configPath) ? [configPath] : []
  const folders = new Set([stateDir, ...config.map(path => dirname(path))])
  return [
    ...config.map(path => ({ path, what: "Deckhand's config file" })),
    ...[...folders].flatMap(folder => [
      { path: join(folder, 'credentials.json'), what: "Deckhand's credentials" },
      { path: join(folder, 'credentials'), what: "Deckhand's credentials" },
    ]),
    { path: join(stateDir, 'permissions.json'), what: "Deckhand's remembered rules" },
    { path: join(stateDir, 'sessions'), what: "Deckhand's session logs" },
    { path: join(stateDir, 'checkpoints'), what: "Deckhand's checkpoints" },
  ]
}

/** Deckhand's own files as they stand on the disk: by their own paths, and by where links lead. */
export class OwnFiles {
  constructor(private readonly files: readonly OwnFile[]) {}

  /** What the path is, if it is one of ours or lies in one. `realPath` is free of links. */
  async find(realPath: string): Promise<string | undefined> {
    const key = toPathKey(realPath)
    for (const { path, real, what } of await this.places()) {
      if (isInside(path, key) || isInside(real, key)) return what
    }
    return this.findHardLink(realPath)
  }

  private places(): Promise<{ path: string; real: string; what: string }[]> {
    return Promise.all(
      this.files.map(async ({ path, what }) => ({
        path: toPathKey(path),
        real: toPathKey(await realPathOf(path)),
        what,
      })),
    )
  }

  // Another name for the same bytes: no path tells it from any other file.
  private async findHardLink(realPath: string): Promise<string | undefined> {
    const found = await stat(realPath).catch(() => undefined)
    if (!found?.isFile() || found.nlink < 2) return undefined
    for (const { path, what } of this.files) {
      const own = await stat(path).catch(() => undefined)
      if (own?.isFile() && own.ino === found.ino && own.dev === found.dev) return what
    }
    return undefined
  }
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
