import { type FSWatcher, watch } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isTemporary } from '../../workspace/index.js'
import type { EventBurst } from './event-burst.js'
import { folderIdentityOf } from './file-stamp.js'
import { inSlices } from './slices.js'
import type { WatchRoom } from './watch-room.js'

/** What the system has told of watched folders since it was last asked. */
export interface FolderNews {
  /** Folder → names in it that something happened to; true: that came, went or was replaced. */
  names: ReadonlyMap<string, ReadonlyMap<string, boolean>>
  /** Folders with more events than can be taken; they are no longer watched. */
  lost: ReadonlySet<string>
  /** Events of any folder may be missing. */
  isDoubtful: boolean
}

interface WatchedFolder {
  watcher: FSWatcher
  /** Of the folder that is watched; its path may lead to another one by now. */
  identity: string
  /** Events in the second that began at `sinceMs`. */
  events: number
  sinceMs: number
}

/** A folder in which more happens is looked at as a whole; an event costs about 5 µs. */
const MAX_EVENTS_PER_SECOND = 8000
/** Names that are kept between two looks, of all folders of the tree. */
const MAX_NAMES = 20_000
/** Codes for folders that are not there any more or that nobody may list. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'])

/** Watches the folders of one tree, each by itself. Keeps no process alive. */
export class FolderEvents {
  readonly #watched = new Map<string, WatchedFolder>()
  #names = new Map<string, Map<string, boolean>>()
  #lost = new Set<string>()
  #count = 0
  #overruns: number
  #failure: string | undefined

  constructor(
    private readonly room: WatchRoom,
    private readonly burst: EventBurst,
  ) {
    this.#overruns = burst.overruns
    if (room.isNone) this.#failure = 'no room'
  }

  /** False once the folders of this tree cannot all be watched; then none is. */
  get isWorking(): boolean {
    return this.#failure === undefined
  }

  has(folder: string): boolean {
    return this.#watched.has(folder)
  }

  /** Whether the folder that is watched under this path still lies there. */
  isSame(folder: string): boolean {
    return this.#watched.get(folder)?.identity === folderIdentityOf(folder)?.id
  }

  /** Watches a folder, if it is there and may be listed: what comes, goes and changes in it from now on is told. */
  add(folder: string): void {
    const identity = folderIdentityOf(folder)?.id
    if (identity === undefined || !this.isWorking || this.#watched.has(folder)) return
    if (!this.room.take()) {
      this.fail('no room')
      return
    }
    try {
      const watcher = watch(folder, { persistent: false })
      const watched = { watcher, identity, events: 0, sinceMs: 0 }
      this.#watched.set(folder, watched)
      watcher.on('change', (type, name) => this.#note(folder, watched, type === 'rename', name))
      watcher.on('error', () => this.#lose(folder))
      // Another one came in between, and nobody knows which of them is watched.
      if (!this.isSame(folder)) this.#lose(folder)
    } catch (error) {
      this.room.giveBack(1)
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      if (!MISSING.has(code)) this.fail(code)
    }
  }

  remove(folder: string): void {
    const watched = this.#watched.get(folder)
    if (watched === undefined) return
    this.#watched.delete(folder)
    this.room.giveBack(1)
    close(watched)
  }

  /** Waits for what the system has queued and hands over what came. */
  async take(): Promise<FolderNews> {
    // Events are queued before the call that made them returns; between two turns the event loop reads all there are.
    await nextTurn()
    await nextTurn()
    const news = { names: this.#names, lost: this.#lost, isDoubtful: this.#overruns !== this.burst.overruns }
    this.#names = new Map()
    this.#lost = new Set()
    this.#count = 0
    this.#overruns = this.burst.overruns
    return news
  }

  /** Ends all watches; new ones may follow. */
  async clear(): Promise<void> {
    const watched = [...this.#watched.values()]
    this.#watched.clear()
    this.room.giveBack(watched.length)
    this.#names.clear()
    this.#lost.clear()
    await inSlices(watched, close, () => false)
  }

  /** Ends all watches for good. */
  fail(reason: string): void {
    this.#failure ??= reason
    void this.clear()
  }

  #note(folder: string, watched: WatchedFolder, isRenamed: boolean, name: string | Buffer | null): void {
    const nowMs = performance.now()
    if (nowMs - watched.sinceMs > 1000) {
      watched.sinceMs = nowMs
      watched.events = 0
    }
    watched.events += 1
    const isFew = this.burst.count(nowMs) && watched.events <= MAX_EVENTS_PER_SECOND
    if (!isFew || typeof name !== 'string') this.#lose(folder)
    else if (!isTemporary(name)) this.#keep(folder, name, isRenamed)
  }

  #keep(folder: string, name: string, isRenamed: boolean): void {
    const names = this.#names.get(folder) ?? new Map<string, boolean>()
    this.#names.set(folder, names)
    const known = names.get(name)
    if (known === undefined) this.#count += 1
    if (this.#count > MAX_NAMES) this.#lose(folder)
    else names.set(name, isRenamed || known === true)
  }

  #lose(folder: string): void {
    this.#names.delete(folder)
    this.#lost.add(folder)
    this.remove(folder)
  }
}

function close({ watcher }: WatchedFolder): void {
  watcher.removeAllListeners('change')
  watcher.close()
}
