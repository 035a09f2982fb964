import { toPathKey } from './path-lock.js'

/** One file a session has seen: the shape of the entries of `meta.seen` in a tool's result. */
export interface SeenFile {
  /** The real path. */
  path: string
  /** Hash of the bytes, as FileContent has it. */
  hash: string
}

/** Which bytes each session last saw of each file. Calls without a session share one place of their own. */
export class SeenFiles {
  private readonly sessions = new Map<string | undefined, Map<string, string>>()

  mark(sessionId: string | undefined, realPath: string, hash: string): void {
    let files = this.sessions.get(sessionId)
    if (files === undefined) {
      files = new Map()
      this.sessions.set(sessionId, files)
    }
    files.set(toPathKey(realPath), hash)
  }

  hashOf(sessionId: string | undefined, realPath: string): string | undefined {
    return this.sessions.get(sessionId)?.get(toPathKey(realPath))
  }

  forget(sessionId: string | undefined): void {
    this.sessions.delete(sessionId)
  }
}

/** The entries of `meta.seen`, whichever tool's result it is; anything malformed is left out. */
export function toSeenFiles(meta: unknown): SeenFile[] {
  if (typeof meta !== 'object' || meta === null || !('seen' in meta) || !Array.isArray(meta.seen)) return []
  return meta.seen.filter(isSeenFile)
}

function isSeenFile(value: unknown): value is SeenFile {
  if (typeof value !== 'object' || value === null) return false
  return 'path' in value && typeof value.path === 'string' && 'hash' in value && typeof value.hash === 'string'
}
