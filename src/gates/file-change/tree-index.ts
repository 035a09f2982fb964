import { basename, dirname } from 'node:path'
import { isInside } from '../../workspace/index.js'
import type { CommandWindow } from './command-window.js'
import type { Copies, KnownFile } from './copies.js'
import { CLOCK_STEP_MS, type FileStamp, folderTimeOf, isUnchanged, readStamped, stampOf } from './file-stamp.js'
import { inSlices } from './slices.js'
import type { ListTree } from './tree-listing.js'

interface Folder {
  mtimeMs: number
  racy: boolean
  files: Set<string>
}

/** With more changed folders than this the whole tree is listed anew. */
const MAX_RELISTED_FOLDERS = 30
const SNIFF_BYTES = 8192

/** The files of one tree as they were last seen. Every change that a look finds is told to the open windows. */
export class TreeIndex {
  readonly files = new Map<string, KnownFile>()
  readonly windows = new Set<CommandWindow>()
  readonly #folders = new Map<string, Folder>()
  /** Files that nobody has read since they changed. */
  readonly #unread = new Set<string>()
  #isFilled = false
  /** Folders whose ignore rules have changed. */
  readonly #ruled = new Set<string>()

  constructor(
    readonly root: string,
    private readonly list: ListTree,
    private readonly copies: Copies,
    private readonly maxFileBytes: number,
  ) {}

  /** The first look; false if the tree is too large or the signal ended it. */
  async open(signal: AbortSignal): Promise<boolean> {
    if (!(await this.#relistBelow([this.root], signal))) return false
    this.#ruled.clear()
    // What was changed last is most likely to be changed next.
    const newestFirst = [...this.files].sort(([, one], [, other]) => other.stamp.mtimeMs - one.stamp.mtimeMs)
    this.#unread.clear()
    for (const [path] of newestFirst) this.#unread.add(path)
    return true
  }

  /**
   * Looks again: at folders, and at all files or only those of which a copy is kept. False if the signal ended it or the tree
   * has grown too large.
   */
  async refresh(which: 'copied' | 'all', signal: AbortSignal): Promise<boolean> {
    const relist: string[] = []
    const stop = () => signal.aborted
    const lookAtFolder = ([path, folder]: [string, Folder]) => {
      const time = folderTimeOf(path)
      if (time === undefined) this.#removeFolder(path, folder)
      else if (time !== folder.mtimeMs || folder.racy) relist.push(path)
    }
    const lookAtFile = ([path, file]: [string, KnownFile]) => {
      if (which === 'all' || file.copy !== undefined) this.#look(path, file)
    }
    if (!(await inSlices([...this.#folders], lookAtFolder, stop))) return false
    if (!(await inSlices(this.files, lookAtFile, stop))) return false
    if (!(await this.#relist(relist, signal))) return false
    const ruled = [...this.#ruled]
    this.#ruled.clear()
    return this.#relistBelow(ruled, signal)
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
    const file = this.#set(path, stampOf(path))
    if (file === undefined || bytes === null || bytes.length > this.maxFileBytes) return
    this.#unread.delete(path)
    this.#keep(file, bytes)
  }

  /** Forgets all. */
  close(): void {
    for (const file of this.files.values()) this.copies.drop(file)
    this.files.clear()
    this.#folders.clear()
    this.#unread.clear()
  }

  #keep(file: KnownFile, bytes: Buffer | undefined): void {
    if (bytes !== undefined && !bytes.subarray(0, SNIFF_BYTES).includes(0)) this.copies.keep(file, bytes)
  }

  #look(path: string, file: KnownFile): void {
    const { stamp, copy } = file
    if (isUnchanged(path, stamp)) {
      if (!stamp.racy) return
      stamp.racy = Date.now() - stamp.ctimeMs < CLOCK_STEP_MS
      if (copy === undefined || readStamped(path, stamp, this.maxFileBytes)?.equals(copy) !== false) return
    }
    this.#change(path, stampOf(path))
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
    const folder = this.#folders.get(dirname(path))
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

  async #relist(folders: readonly string[], signal: AbortSignal): Promise<boolean> {
    if (folders.length > MAX_RELISTED_FOLDERS) return this.#relistBelow([this.root], signal)
    for (const folder of folders) {
      const added = await this.#list(folder, 1, signal)
      if (added === undefined || !(await this.#relistBelow(added, signal))) return false
    }
    return true
  }

  async #relistBelow(folders: readonly string[], signal: AbortSignal): Promise<boolean> {
    for (const folder of folders) {
      if (folderTimeOf(folder) === undefined) continue
      if ((await this.#list(folder, Number.POSITIVE_INFINITY, signal)) === undefined) return false
    }
    return true
  }

  /**
   * Lists a folder, its own entries or all below it: new files are changes, those that are gone too, ignored ones are forgotten.
   * Answers the folders that are new and were not listed themselves; undefined if it gave up.
   */
  async #list(folder: string, depth: number, signal: AbortSignal): Promise<string[] | undefined> {
    const sinceMs = Date.now()
    const listed = await this.list(this.root, folder, depth, signal)
    if (listed === undefined) return undefined
    const added = depth === 1 ? listed.folders.filter(path => !this.#folders.has(path)) : []
    for (const path of depth === 1 ? [folder] : [folder, ...listed.folders]) this.#noteFolder(path, sinceMs)
    const found = new Set(listed.files)
    const known = depth === 1 ? [...(this.#folders.get(folder)?.files ?? [])] : this.#filesBelow(folder)
    for (const path of known) {
      if (found.has(path)) continue
      if (stampOf(path) === undefined) this.#change(path, undefined)
      else this.#set(path, undefined)
    }
    const add = (path: string) => {
      if (this.files.has(path)) return
      const stamp = stampOf(path)
      if (stamp !== undefined) this.#change(path, stamp)
    }
    return (await inSlices(listed.files, add, () => signal.aborted)) ? added : undefined
  }

  #noteFolder(path: string, listedSinceMs: number): void {
    const mtimeMs = folderTimeOf(path)
    if (mtimeMs === undefined) return
    // An entry may have come after the listing and before this look.
    const racy = mtimeMs > listedSinceMs - CLOCK_STEP_MS
    this.#folders.set(path, { mtimeMs, racy, files: this.#folders.get(path)?.files ?? new Set() })
  }

  #filesBelow(folder: string): string[] {
    const all = [...this.files.keys()]
    return folder === this.root ? all : all.filter(path => isInside(folder, path))
  }

  #removeFolder(path: string, folder: Folder): void {
    for (const name of [...folder.files]) {
      const file = this.files.get(name)
      if (file !== undefined) this.#look(name, file)
    }
    this.#folders.delete(path)
  }
}
