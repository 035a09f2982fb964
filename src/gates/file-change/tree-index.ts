import { basename, dirname } from 'node:path'
import type { CommandWindow } from './command-window.js'
import type { Copies, KnownFile } from './copies.js'
import { CLOCK_STEP_MS, type FileStamp, folderTimeOf, isUnchanged, readStamped, stampOf } from './file-stamp.js'
import { inSlices } from './slices.js'

/** A folder as it was last listed; the paths of its own entries. */
export interface KnownFolder {
  mtimeMs: number
  racy: boolean
  files: Set<string>
  folders: Set<string>
}

const SNIFF_BYTES = 8192

/** The files of one tree as they were last seen. Every change that a look finds is told to the open windows. */
export class TreeIndex {
  readonly files = new Map<string, KnownFile>()
  readonly folders = new Map<string, KnownFolder>()
  /** Files with several names, any of which may be used to change them. */
  readonly linked = new Set<string>()
  readonly windows = new Set<CommandWindow>()
  /** Grows each time all is forgotten: what was found before no longer counts. */
  generation = 0
  /** Files that nobody has read since they changed. */
  #unread = new Set<string>()
  #isFilled = false
  /** Folders whose ignore rules have changed. */
  #ruled = new Set<string>()
  /** Inodes of files that got another name. */
  #newlyLinked = new Set<number>()

  constructor(
    readonly root: string,
    private readonly copies: Copies,
    private readonly maxFileBytes: number,
  ) {}

  /** Looks at a known file. */
  look(path: string): void {
    const file = this.files.get(path)
    if (file === undefined) return
    const { stamp, copy } = file
    if (isUnchanged(path, stamp)) {
      if (!stamp.racy) return
      stamp.racy = Date.now() - stamp.ctimeMs < CLOCK_STEP_MS
      if (copy === undefined || readStamped(path, stamp, this.maxFileBytes)?.equals(copy) !== false) return
    }
    this.#change(path, stampOf(path))
  }

  /** Takes up a file that a listing named. */
  find(path: string): void {
    if (this.files.has(path)) return
    const stamp = stampOf(path)
    if (stamp !== undefined) this.#change(path, stamp)
  }

  /** A listing no longer names this file: it has gone, or it is forgotten as if it had never been listed. */
  leave(path: string): void {
    if (stampOf(path) === undefined) {
      this.#change(path, undefined)
      return
    }
    for (const window of this.windows) window.before.delete(path)
    this.#set(path, undefined)
  }

  /** Notes a folder that was listed. */
  noteFolder(path: string, listedSinceMs: number): void {
    const mtimeMs = folderTimeOf(path)
    if (mtimeMs === undefined) return
    // An entry may have come after the listing and before this look.
    const racy = mtimeMs > listedSinceMs - CLOCK_STEP_MS
    const { files = new Set<string>(), folders = new Set<string>() } = this.folders.get(path) ?? {}
    this.folders.set(path, { mtimeMs, racy, files, folders })
    if (path !== this.root) this.folders.get(dirname(path))?.folders.add(path)
  }

  /** Forgets a folder; its files must have been left, its folders removed. */
  removeFolder(path: string): void {
    this.folders.delete(path)
    this.folders.get(dirname(path))?.folders.delete(path)
  }

  /** The folder and all known below it, each before its own. */
  *foldersBelow(folder: string): Generator<string> {
    const known = this.folders.get(folder)
    if (known === undefined) return
    yield folder
    for (const path of known.folders) yield* this.foldersBelow(path)
  }

  *filesBelow(folder: string): Generator<string> {
    for (const path of this.foldersBelow(folder)) yield* this.folders.get(path)?.files ?? []
  }

  /** Hands over the folders whose ignore rules have changed. */
  takeRuled(): Set<string> {
    const ruled = this.#ruled
    this.#ruled = new Set()
    return ruled
  }

  /** Hands over the inodes of files that got another name. */
  takeNewlyLinked(): Set<number> {
    const inodes = this.#newlyLinked
    this.#newlyLinked = new Set()
    return inodes
  }

  /** Puts the files in the order in which copies are made: what was changed last is most likely to be changed next. */
  async sortUnread(stop: () => boolean): Promise<void> {
    const byAge: string[][] = []
    const nowMs = Date.now()
    const put = (path: string) => {
      const ageMs = nowMs - (this.files.get(path)?.stamp.mtimeMs ?? 0)
      const step = ageMs > 1 ? Math.floor(4 * Math.log2(ageMs)) : 0
      byAge[step] ??= []
      byAge[step].push(path)
    }
    if (!(await inSlices([...this.#unread], put, stop))) return
    const sorted = new Set<string>()
    if (await inSlices(byAge.flat(), path => sorted.add(path), stop)) this.#unread = sorted
  }

  /** Keeps copies of small text files that changed since they were last read, until `stop`. */
  async fill(stop: () => boolean): Promise<void> {
    const read = (path: string) => {
      this.#unread.delete(path)
      const file = this.files.get(path)
      // The first time the copies of other trees stay; later what has just changed takes the place of older copies.
      if (file === undefined || !(this.#isFilled || this.copies.hasRoom(file.stamp.sizeBytes))) return
      this.#keep(file, readStamped(path, file.stamp, this.maxFileBytes))
    }
    if (await inSlices([...this.#unread], read, stop)) this.#isFilled = true
  }

  /** The bytes of a file as it was last seen, if it still is that version and not too large. */
  read(path: string): Buffer | undefined {
    const file = this.files.get(path)
    return file && (file.copy ?? readStamped(path, file.stamp, this.maxFileBytes))
  }

  /** A tool wrote or removed a file: no change of any command. */
  written(path: string, bytes: Buffer | null): void {
    for (const window of this.windows) window.noteWritten(path, bytes)
    if (!this.files.has(path)) return
    if (basename(path) === '.gitignore') this.#ruled.add(dirname(path))
    const file = this.#set(path, stampOf(path))
    if (file === undefined || bytes === null || bytes.length > this.maxFileBytes) return
    this.#unread.delete(path)
    this.#keep(file, bytes)
  }

  /** Forgets all. */
  close(): void {
    this.generation += 1
    for (const file of this.files.values()) this.copies.drop(file)
    this.files.clear()
    this.folders.clear()
    this.linked.clear()
    this.#unread.clear()
    this.#ruled.clear()
    this.#newlyLinked.clear()
    this.#isFilled = false
  }

  #keep(file: KnownFile, bytes: Buffer | undefined): void {
    if (bytes !== undefined && !bytes.subarray(0, SNIFF_BYTES).includes(0)) this.copies.keep(file, bytes)
  }

  #change(path: string, after: FileStamp | undefined): void {
    const before = this.files.get(path)
    for (const window of this.windows) window.note(path, before?.stamp, before?.copy, after)
    if (basename(path) === '.gitignore') this.#ruled.add(dirname(path))
    this.#set(path, after)
  }

  #set(path: string, stamp: FileStamp | undefined): KnownFile | undefined {
    const before = this.files.get(path)
    if (before !== undefined) this.copies.drop(before)
    const folder = this.folders.get(dirname(path))
    this.#setLinked(path, stamp)
    if (stamp === undefined) {
      this.files.delete(path)
      this.#unread.delete(path)
      folder?.files.delete(path)
      return undefined
    }
    const file: KnownFile = { stamp }
    this.files.set(path, file)
    this.#unread.add(path)
    folder?.files.add(path)
    return file
  }

  #setLinked(path: string, stamp: FileStamp | undefined): void {
    if (stamp?.linked !== true) {
      this.linked.delete(path)
      return
    }
    if (!this.linked.has(path)) this.#newlyLinked.add(stamp.ino)
    this.linked.add(path)
  }
}
