import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isInside } from '../../workspace/index.js'
import type { Copies } from './copies.js'
import { TreeIndex } from './tree-index.js'
import type { ListTree } from './tree-listing.js'
import { TreeWatch } from './tree-watch.js'

/** Trees that are kept; with more the one that was used longest ago goes. */
const MAX_TREES = 8

/** A root of a session as it spells it, and the tree there. */
export interface RootTree {
  watch: TreeWatch
  /** A real path of the tree in the session's spelling. */
  toSpoken(realPath: string): string
}

/** The trees of this process, one for each real root: sessions in one tree share it. */
export class Trees {
  readonly #trees = new Map<string, TreeWatch>()

  constructor(
    private readonly list: ListTree,
    private readonly copies: Copies,
    private readonly maxFileBytes: number,
    private readonly maxLooksMs: number,
    private readonly onGiveUp: (root: string, reason: string) => void,
  ) {}

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
    return [...this.#trees.values()].map(watch => watch.index).filter(({ root }) => isInside(root, realPath))
  }

  close(): void {
    for (const watch of this.#trees.values()) watch.close()
    this.#trees.clear()
  }

  #watch(root: string): TreeWatch {
    const known = this.#trees.get(root)
    const watch = known ?? this.#create(root)
    this.#trees.delete(root)
    this.#trees.set(root, watch)
    for (const [oldest, { index }] of this.#trees) {
      if (this.#trees.size <= MAX_TREES) break
      if (index.windows.size === 0 && oldest !== root) this.#forget(oldest)
    }
    return watch
  }

  #create(root: string): TreeWatch {
    const index = new TreeIndex(root, this.list, this.copies, this.maxFileBytes)
    return new TreeWatch(index, this.maxLooksMs, reason => this.onGiveUp(root, reason))
  }

  #forget(root: string): void {
    const watch = this.#trees.get(root)
    this.#trees.delete(root)
    watch?.close()
  }
}

function realPathOf(root: string): string | undefined {
  try {
    return realpathSync.native(root)
  } catch {
    return undefined
  }
}
