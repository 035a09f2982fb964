import { sep } from 'node:path'
import type { Context } from 'cordis'
import { HarnessError } from '../cards/index.js'
import type { EditorFiles } from './editor-files.js'
import { Editors } from './editors.js'
import { createAnnouncer, toFileWrite } from './file-writes.js'
import { hashBytes } from './hash-bytes.js'
import type { LineRange } from './line-window.js'
import { withPathLock } from './path-lock.js'
import { describeBytes, type FileContent, readFileIfThere, readWholeFile } from './read-file.js'
import { type FileLines, linesOfContent, readFileLines } from './read-lines.js'
import { type RemoveOptions, removeFile } from './remove-file.js'
import { type ResolvedPath, resolvePath, type WorkspaceAgent } from './resolve-path.js'
import { SeenFiles, toSeenFiles } from './seen-files.js'
import { type Walk, type WalkOptions, walk } from './walk.js'
import { realOrAsIs, toWalkStart } from './walk-start.js'
import { type WriteOptions, writeWholeFile } from './write-file.js'

declare module 'cordis' {
  interface Context {
    files: Files
  }
}

/** A file as it stands after a write. */
export type WrittenFile = Omit<FileContent, 'version'>

/**
 * The files of the workspace: the only way a tool reads or writes one. Paths are resolved against the agent's cwd; without
 * an agent they must be absolute (NO_WORKSPACE). A real path outside the agent's roots is refused (OUTSIDE_WORKSPACE).
 */
export class Files {
  private readonly seenFiles = new SeenFiles()
  private withheld: readonly string[] = []
  private readonly editors = new Editors(this.seenFiles)
  private readonly announce: ReturnType<typeof createAnnouncer>

  /** Not cordis' Service: whoever holds one calls through a proxy, and each call of a tool makes many. */
  constructor(ctx: Context) {
    this.announce = createAnnouncer(ctx)
    ctx.provide('files', this)
  }

  /** Where a path leads; refuses nothing. */
  resolve(agent: WorkspaceAgent | undefined, path: string): Promise<ResolvedPath> {
    return resolvePath(agent, path)
  }

  /**
   * From now on files inside the session's roots are read and written through its editor, as far as its text can stand for
   * them; until `forget`. Walks stay with the disk.
   */
  useEditor(sessionId: string, editor: EditorFiles, settleMs?: number): void {
    this.editors.use(sessionId, editor, settleMs)
  }

  /** A whole file of up to 50 MiB. Throws NOT_FOUND, NOT_A_FILE, TOO_LARGE, FILE_FAILED, STALE_BUFFER, ABORTED. */
  async read(agent: WorkspaceAgent | undefined, path: string, signal?: AbortSignal): Promise<FileContent> {
    const target = await this.admitFile(agent, path)
    const unsaved = await this.editors.read(agent, target, signal)
    return unsaved ?? readWholeFile(target, signal)
  }

  /** As read, but null if there is no file. */
  async readIfThere(
    agent: WorkspaceAgent | undefined,
    path: string,
    signal?: AbortSignal,
  ): Promise<FileContent | null> {
    const target = await this.admitFile(agent, path)
    const unsaved = await this.editors.read(agent, target, signal)
    return unsaved ?? readFileIfThere(target, signal)
  }

  /** A range of lines of a file of any size. Throws as read does, TOO_LARGE apart. */
  async readLines(
    agent: WorkspaceAgent | undefined,
    path: string,
    range: LineRange,
    signal?: AbortSignal,
  ): Promise<FileLines> {
    const target = await this.admitFile(agent, path)
    const unsaved = await this.editors.read(agent, target, signal)
    return unsaved ? linesOfContent(unsaved, range) : readFileLines(target, range, signal)
  }

  /**
   * Replaces or creates a file, whole or not at all, and answers what was really saved: take hunks and hash from that.
   * A link is followed to its target. Throws NOT_A_FILE, CHANGED_SINCE_READ (see `replacing`), FILE_FAILED, STALE_BUFFER,
   * EDITOR_FAILED, ABORTED.
   */
  async write(
    agent: WorkspaceAgent | undefined,
    path: string,
    content: Uint8Array,
    options?: WriteOptions,
  ): Promise<WrittenFile> {
    const target = await this.admitFile(agent, path)
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content.buffer, content.byteOffset, content.length)
    const change = toFileWrite(agent, target, bytes, options?.replacing?.bytes)
    await this.announce('files/before-write', change)
    const formatted = await this.editors.save(agent, target, bytes, options)
    if (formatted === undefined) {
      await writeWholeFile(target, bytes, options)
      await this.editors.follow(agent, target, options?.signal?.aborted === true)
    }
    const saved = formatted ?? bytes
    await this.announce('files/after-write', { ...change, bytes: saved })
    return {
      path: target.path,
      realPath: target.realPath,
      bytes: saved,
      hash: await hashBytes(saved),
      ...describeBytes(saved),
    }
  }

  /** Removes a file, a link's target included. Throws NOT_A_FILE, CHANGED_SINCE_READ, FILE_FAILED, ABORTED; none is no error. */
  async remove(agent: WorkspaceAgent | undefined, path: string, options?: RemoveOptions): Promise<void> {
    const target = await this.admitFile(agent, path)
    const change = toFileWrite(agent, target, null, undefined)
    await this.announce('files/before-write', change)
    await removeFile(target, options)
    await this.announce('files/after-write', change)
  }

  /** The entries of a tree in path order, or one file. Throws OUTSIDE_WORKSPACE; iterating throws as {@link walk} does. */
  async walk(
    agent: WorkspaceAgent | undefined,
    path: string,
    options?: Omit<WalkOptions, 'start' | 'spoken' | 'roots' | 'withheld'>,
  ): Promise<Walk> {
    const target = await this.admit(agent, path)
    const withheld = await Promise.all(this.withheld.map(realOrAsIs))
    return walk({ ...options, ...(await toWalkStart(agent, target)), spoken: path, withheld })
  }

  /** Absolute paths that no walk comes to from now on, with all below them; naming one is for a gate to refuse. */
  withhold(paths: readonly string[]): void {
    this.withheld = paths
  }

  /** Runs `body` alone among all that lock this real path in this process, in order of arrival. Not reentrant. */
  lock<T>(realPath: string, body: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withPathLock(realPath, body, signal)
  }

  /** Notes that a session knows these bytes of a file: after each read and each write. */
  markSeen(sessionId: string | undefined, realPath: string, hash: string): void {
    this.seenFiles.mark(sessionId, realPath, hash)
  }

  /** Hash of the bytes that the session last saw of a file. */
  seen(sessionId: string | undefined, realPath: string): string | undefined {
    return this.seenFiles.hashOf(sessionId, realPath)
  }

  /** Takes over `meta.seen` of a logged result; results in the order of the log rebuild what the session has seen. */
  restoreSeen(sessionId: string | undefined, meta: unknown): void {
    for (const { path, hash } of toSeenFiles(meta)) this.seenFiles.mark(sessionId, path, hash)
  }

  /** Drops what a session has seen, and its editor: it was closed. */
  forget(sessionId: string | undefined): void {
    this.seenFiles.forget(sessionId)
    this.editors.forget(sessionId)
  }

  private async admitFile(agent: WorkspaceAgent | undefined, path: string): Promise<ResolvedPath> {
    if (path.endsWith('/') || path.endsWith(sep)) {
      throw new HarnessError('NOT_A_FILE', `${path} names a directory: a file's path does not end with a separator.`)
    }
    return this.admit(agent, path)
  }

  // The one place that decides whether a file tool may touch a path; judged by the real path (B63).
  private async admit(agent: WorkspaceAgent | undefined, path: string): Promise<ResolvedPath> {
    const target = await resolvePath(agent, path)
    if (target.inside) return target
    const where = target.realPath === target.path ? '' : ` (it leads to ${target.realPath})`
    throw new HarnessError('OUTSIDE_WORKSPACE', `${path} lies outside the workspace${where}.`)
  }
}
