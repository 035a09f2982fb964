import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isInside } from '../../workspace/index.js'
import type { Copies } from './copies.js'
import type { EventBurst } from './event-burst.js'
import { FolderEvents } from './folder-events.js'
import { TreeIndex } from './tree-index.js'
import type { ListTree } from './tree-listing.js'
import { type TreeLimits, TreeSurvey } from './tree-survey.js'
import { TreeWatch } from './tree-watch.js'
import { WatchRoom } from './watch-room.js'

/** Trees that are kept; with more the one that was used longest ago goes. */
const MAX_TREES = 8

/** A tree in which no call was made for so long is forgotten: its folders are watched no longer. */
const IDLE_MS = 15 * 60_000
/** Or for so long, if another needs its watches. */
const SPARED_MS = 60_000

export interface TreesOptions extends TreeLimits {
  list: ListTree
  copies: Copies
  maxFileBytes: number
  maxLooksMs: number
  /** Folders that may be watched; default: what the system can spare. */
  maxWatches?: number | undefined
  burst: EventBurst
  onGiveUp(root: string, reason: string): void
}

/** A root of a session as it spells it, and the tree there. */
export interface RootTree {
  watch: TreeWatch
  /** A real path of the tree in the session's spelling. */
  toSpoken(realPath: string): string
}

/** The trees of this process, one for each real root: sessions in one tree share it. */
export class Trees {
  readonly #trees = new Map<string, { watch: TreeWatch; usedMs: number }>()
  #room: WatchRoom | undefined
  readonly #sweeps: NodeJS.Timeout

  constructor(private readonly options: TreesOptions) {
    this.#sweeps = setInterval(() => this.#forgetUnused(IDLE_MS), IDLE_MS / 5).unref()
  }

  /** The trees of these roots; a root that is missing or lies in another one has none of its own. */
  of(roots: readonly string[]): RootTree[] {
    const real = roots.map(realPathOf)
    return roots.flatMap((root, at) => {
      const realRoot = real[at]
      if (realRoot === undefined) return []
      const isCovered = real.some(
        (other, n) => other !== undefined && n !== at && isInside(other, realRoot) && (other !== realRoot || n < at),
      )
      if (isCovered) return []
      return [{ watch: this.#watch(realRoot), toSpoken: path => join(root, relative(realRoot, path)) }]
    })
  }

  /** The trees that hold this real path. */
  holding(realPath: string): TreeIndex[] {
    return [...this.#trees.values()].map(({ watch }) => watch.index).filter(({ root }) => isInside(root, realPath))
  }

  close(): void {
    clearInterval(this.#sweeps)
    for (const { watch } of this.#trees.values()) watch.close()
    this.#trees.clear()
  }

  #watch(root: string): TreeWatch {
    const watch = this.#trees.get(root)?.watch ?? this.#create(root)
    this.#trees.delete(root)
    this.#trees.set(root, { watch, usedMs: Date.now() })
    for (const oldest of this.#trees.keys()) {
      if (this.#trees.size <= MAX_TREES) break
      if (oldest !== root) this.#forget(oldest)
    }
    return watch
  }

  #create(root: string): TreeWatch {
    const { list, copies, maxFileBytes, maxLooksMs, maxWatches, burst, onGiveUp } = this.options
    this.#room ??= new WatchRoom(maxWatches, () => this.#forgetUnused(SPARED_MS))
    const index = new TreeIndex(root, copies, maxFileBytes)
    const survey = new TreeSurvey(index, new FolderEvents(this.#room, burst), list, this.#room, this.options)
    return new TreeWatch(survey, maxLooksMs, reason => onGiveUp(root, reason))
  }

  #forgetUnused(ms: number): void {
    for (const [root, { usedMs }] of this.#trees) if (Date.now() - usedMs > ms) this.#forget(root)
  }

  /** Not while a command runs in it. */
  #forget(root: string): void {
    const tree = this.#trees.get(root)
    if (tree === undefined || tree.watch.index.windows.size > 0) return
    this.#trees.delete(root)
    tree.watch.close()
  }
}

function realPathOf(root: string): string | undefined {
  try {
    return realpathSync.native(root)
  } catch {
    return undefined
  }
}
