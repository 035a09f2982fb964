import { folderIdentityOf, folderTimeOf } from './file-stamp.js'
import type { FolderEvents } from './folder-events.js'
import type { LookLimit } from './look-limit.js'
import { inSlices } from './slices.js'
import type { TreeIndex } from './tree-index.js'
import type { ListedTree, ListTree } from './tree-listing.js'
import type { WatchRoom } from './watch-room.js'

/** How much of a tree is followed. */
export interface TreeLimits {
  /** Of a tree that is watched, and of one that is looked at as a whole around each command. */
  maxWatchedFiles: number
  maxFiles: number
}

/** Folders can come faster than they are taken up. */
const MAX_ROUNDS = 8
const WHOLE = Number.POSITIVE_INFINITY

/** Brings the index of a tree in line with what lies there, folder by folder, and watches what it takes up. */
export class TreeSurvey {
  constructor(
    readonly index: TreeIndex,
    readonly events: FolderEvents,
    private readonly list: ListTree,
    private readonly room: WatchRoom,
    private readonly limits: TreeLimits,
  ) {}

  /** More files than these are not followed. */
  get maxFiles(): number {
    return this.events.isWorking ? this.limits.maxWatchedFiles : this.limits.maxFiles
  }

  /**
   * Takes up all below a folder that is known, new or gone; `again`: it is watched anew and known files are looked at too.
   * False if it gave up.
   */
  async below(folder: string, again: boolean, limit: LookLimit): Promise<boolean> {
    const forget = (path: string) => this.events.remove(path)
    if (again && !(await inSlices(this.index.foldersBelow(folder), forget, () => limit.isOver))) return false
    if (folderTimeOf(folder) === undefined) return this.#remove(folder, limit)
    const tried = new Set<string>()
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const sinceMs = Date.now()
      const listed = await this.#list(folder, WHOLE, limit)
      if (listed === undefined) return false
      const fresh = [folder, ...listed.folders].filter(path => !tried.has(path) && !this.events.has(path))
      if (!this.events.isWorking || fresh.length === 0) {
        return this.#takeUp({ folder, listed, sinceMs, again, limit })
      }
      // What came before it was watched is found by listing once more.
      for (const path of fresh) tried.add(path)
      if (!(await this.#watch(fresh, limit))) return false
    }
    return false
  }

  /**
   * Takes up a folder's own entries, and all below folders in it that are new; `again`: it is watched if it was not, and known
   * entries are looked at too. False if it gave up.
   */
  async entries(folder: string, again: boolean, limit: LookLimit): Promise<boolean> {
    if (again && !(await this.#watch([folder], limit))) return false
    const sinceMs = Date.now()
    const listed = await this.#list(folder, 1, limit)
    if (listed === undefined) return false
    const { index, events } = this
    const isNew = (path: string) => !index.folders.has(path) || (again && events.isWorking && !events.isSame(path))
    const added = listed.folders.filter(isNew)
    if (!(await this.#takeUp({ folder, listed, sinceMs, again, isFlat: true, limit }))) return false
    for (const path of added) if (!(await this.below(path, again, limit))) return false
    return true
  }

  async #list(folder: string, depth: number, limit: LookLimit): Promise<ListedTree | undefined> {
    try {
      return await this.list(this.index.root, folder, { depth, maxFiles: this.maxFiles, signal: limit.signal })
    } catch (error) {
      // One that nobody may list, or that has just gone, has nothing in it.
      if (limit.isOver || folder === this.index.root) throw error
      return { files: [], folders: [] }
    }
  }

  async #watch(folders: readonly string[], limit: LookLimit): Promise<boolean> {
    const devices = new Map<number, string>()
    const watch = (path: string) => {
      this.events.add(path)
      const identity = folderIdentityOf(path)
      if (identity !== undefined) devices.set(identity.device, path)
    }
    if (!(await inSlices(folders, watch, () => limit.isOver || !this.events.isWorking))) return !limit.isOver
    for (const [device, path] of devices) {
      if (!(await this.room.isTold(path, device))) this.events.fail('changes there may come from elsewhere')
    }
    return true
  }

  async #takeUp(options: {
    folder: string
    listed: ListedTree
    sinceMs: number
    again: boolean
    isFlat?: boolean
    limit: LookLimit
  }): Promise<boolean> {
    const { folder, listed, sinceMs, again, isFlat = false, limit } = options
    const { index } = this
    const stop = () => limit.isOver
    const there = new Set(listed.folders)
    const known = index.folders.get(folder)
    const folders = isFlat ? [...(known?.folders ?? [])] : [...index.foldersBelow(folder)].slice(1)
    for (const path of folders) if (!there.has(path) && !(await this.#remove(path, limit))) return false
    const noted = isFlat ? [folder] : [folder, ...listed.folders]
    if (!(await inSlices(noted, path => index.noteFolder(path, sinceMs), stop))) return false
    const found = new Set<string>()
    if (!(await inSlices(listed.files, path => found.add(path), stop))) return false
    const takeUp = (path: string) => {
      if (!found.has(path)) index.leave(path)
      else if (again) index.look(path)
    }
    const files = isFlat ? (known?.files ?? []) : index.filesBelow(folder)
    if (!(await inSlices(files, takeUp, stop))) return false
    return inSlices(listed.files, path => index.find(path), stop)
  }

  /** Takes away a folder that has gone or is no longer listed, with all below it. */
  async #remove(folder: string, limit: LookLimit): Promise<boolean> {
    const { index, events } = this
    if (
      !(await inSlices(
        index.filesBelow(folder),
        path => index.leave(path),
        () => limit.isOver,
      ))
    )
      return false
    for (const path of [...index.foldersBelow(folder)].reverse()) {
      events.remove(path)
      index.removeFolder(path)
    }
    return true
  }
}
