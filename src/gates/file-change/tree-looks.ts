import { join } from 'node:path'
import type { KnownFile } from './copies.js'
import { folderTimeOf, isListable } from './file-stamp.js'
import type { FolderEvents, FolderNews } from './folder-events.js'
import type { LookLimit } from './look-limit.js'
import { inSlices } from './slices.js'
import type { KnownFolder, TreeIndex } from './tree-index.js'
import type { TreeSurvey } from './tree-survey.js'

/** With more changed folders than this the whole tree is listed anew. */
const MAX_RELISTED_FOLDERS = 30
/** Files with several names are looked at each time; a tree with more of them is not watched. */
const MAX_LINKED = 1000
/** How many files are looked at after each command, in turn, whether or not an event came. */
const CHECKED_FILES = 256

/** The looks at one tree: at what its folders' events named where it is watched, else at all of it. */
export class TreeLooks {
  readonly index: TreeIndex
  readonly #events: FolderEvents
  #nextChecked: Iterator<string> | undefined

  constructor(private readonly survey: TreeSurvey) {
    this.index = survey.index
    this.#events = survey.events
  }

  /** The first look; false if the tree is too large or the limit ended it. */
  async open(limit: LookLimit): Promise<boolean> {
    if (!(await this.#lookAnew(limit))) return false
    this.index.takeRuled()
    await this.index.sortUnread(() => limit.isOver)
    return !limit.isOver
  }

  /**
   * Looks again: where the tree is not watched at folders, and at all files or only those of which a copy is kept. False if
   * the limit ended it or the tree has grown too large.
   */
  async again(which: 'copied' | 'all', limit: LookLimit): Promise<boolean> {
    if (!(await this.#lookWhereNeeded(which, limit))) return false
    if (!(await this.#lookAtLinked(limit)) || !(await this.#lookAtRuled(limit))) return false
    return this.index.files.size <= this.survey.maxFiles
  }

  /** Looks at some files of a watched tree: what maps a file into memory changes it without an event. */
  check(): void {
    if (!this.#events.isWorking) return
    for (let count = 0; count < CHECKED_FILES; count++) {
      this.#nextChecked ??= this.index.files.keys()
      const next = this.#nextChecked.next()
      if (next.done === true) {
        this.#nextChecked = undefined
        return
      }
      this.index.look(next.value)
    }
  }

  async #lookWhereNeeded(which: 'copied' | 'all', limit: LookLimit): Promise<boolean> {
    const { root, folders } = this.index
    const news = this.#events.isWorking ? await this.#events.take() : undefined
    const isThere = folders.has(root) && folderTimeOf(root) !== undefined
    if (!isThere || (news && !news.lost.has(root) && !this.#events.isSame(root))) return this.#lookAnew(limit)
    if (news === undefined) return this.#lookAtAll(which, limit)
    return news.isDoubtful ? this.#lookAtAll('all', limit) : this.#lookAtNews(news, limit)
  }

  async #lookAnew(limit: LookLimit): Promise<boolean> {
    await this.#events.clear()
    return this.survey.below(this.index.root, true, limit)
  }

  async #lookAtNews({ names, lost }: FolderNews, limit: LookLimit): Promise<boolean> {
    const { index } = this
    const relist = new Set<string>()
    const replaced = new Set<string>()
    const lookAt = (folder: string, name: string, isRenamed: boolean) => {
      const path = join(folder, name)
      if (index.folders.has(path)) {
        replaced.add(path)
        if (folderTimeOf(path) !== undefined) return
      }
      index.look(path)
      // Only a listing knows whether what is new there is left out.
      if (isRenamed && !index.files.has(path) && isListable(path)) relist.add(folder)
    }
    for (const [folder, entries] of names) {
      if (!index.folders.has(folder)) continue
      const each = ([name, isRenamed]: [string, boolean]) => lookAt(folder, name, isRenamed)
      if (!(await inSlices(entries, each, () => limit.isOver))) return false
    }
    if (!(await this.#lookAtRuled(limit))) return false
    // Those above come first: what lies below is then known to be there or not.
    for (const path of [...replaced].sort()) {
      if (index.folders.has(path) && !(await this.survey.below(path, true, limit))) return false
    }
    if (!(await this.#lookAtEntries(lost, limit))) return false
    return this.#relist(relist, index.folders.size / 2, limit)
  }

  async #lookAtAll(which: 'copied' | 'all', limit: LookLimit): Promise<boolean> {
    const { index } = this
    const relist: string[] = []
    const replaced: string[] = []
    const unwatched: string[] = []
    const { isWorking } = this.#events
    const stop = () => limit.isOver
    const lookAtFolder = ([path, folder]: [string, KnownFolder]) => {
      const time = folderTimeOf(path)
      if (time === undefined) replaced.push(path)
      else if (isWorking && !this.#events.has(path)) unwatched.push(path)
      else if (isWorking && !this.#events.isSame(path)) replaced.push(path)
      else if (time !== folder.mtimeMs || folder.racy) relist.push(path)
    }
    const lookAtFile = ([path, file]: [string, KnownFile]) => {
      if (which === 'all' || file.copy !== undefined) index.look(path)
    }
    if (!(await inSlices([...index.folders], lookAtFolder, stop))) return false
    if (!(await inSlices(index.files, lookAtFile, stop))) return false
    if (!(await this.#lookAtRuled(limit))) return false
    for (const path of replaced) {
      if (index.folders.has(path) && !(await this.survey.below(path, true, limit))) return false
    }
    if (!(await this.#lookAtEntries(unwatched, limit))) return false
    return this.#relist(relist, 0, limit)
  }

  /** Looks at all in these folders and watches them again. */
  async #lookAtEntries(folders: Iterable<string>, limit: LookLimit): Promise<boolean> {
    for (const path of [...folders].sort()) {
      if (this.index.folders.has(path) && !(await this.survey.entries(path, true, limit))) return false
    }
    return true
  }

  /** Lists these folders anew, or the whole tree if they are many: more than 30 and than `most`. */
  async #relist(folders: Iterable<string>, most: number, limit: LookLimit): Promise<boolean> {
    const known = [...folders].filter(path => this.index.folders.has(path))
    if (known.length > Math.max(MAX_RELISTED_FOLDERS, most)) return this.survey.below(this.index.root, false, limit)
    for (const path of known) {
      if (this.index.folders.has(path) && !(await this.survey.entries(path, false, limit))) return false
    }
    return true
  }

  async #lookAtRuled(limit: LookLimit): Promise<boolean> {
    for (const folder of [...this.index.takeRuled()].sort()) {
      if (this.index.folders.has(folder) && !(await this.survey.below(folder, false, limit))) return false
    }
    return true
  }

  // A change by one name is an event in that name's folder only, and a new name is none for the others.
  async #lookAtLinked(limit: LookLimit): Promise<boolean> {
    const { index } = this
    const stop = () => limit.isOver
    if (!this.#events.isWorking) return true
    if (index.linked.size > MAX_LINKED) {
      this.#events.fail('many files have several names')
      return this.#lookAtAll('all', limit)
    }
    if (!(await inSlices([...index.linked], path => index.look(path), stop))) return false
    const inodes = index.takeNewlyLinked()
    if (inodes.size === 0) return true
    const lookAt = ([path, { stamp }]: [string, KnownFile]) => {
      if (inodes.has(stamp.ino)) index.look(path)
    }
    return inSlices(index.files, lookAt, stop)
  }
}
