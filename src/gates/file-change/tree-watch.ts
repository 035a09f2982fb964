import { CommandWindow } from './command-window.js'
import { measureLooks } from './look-cost.js'
import type { TreeIndex } from './tree-index.js'

const OPEN_LIMIT_MS = 5000
const REFRESH_LIMIT_MS = 1000
/** How long a command waits for copies to be made: the first in a tree, and later ones. */
const FIRST_FILL_MS = 200
const FILL_MS = 30

/** One tree with its looks in order: no two at once. */
export class TreeWatch {
  #last: Promise<unknown> = Promise.resolve()
  #opened: Promise<boolean> | undefined
  #isFresh = false
  #closed = false

  constructor(
    readonly index: TreeIndex,
    /** A tree of which the looks around a command take longer is not followed. */
    private readonly maxLooksMs: number,
    private readonly onGiveUp: (reason: string) => void,
  ) {}

  /** Takes the first look ahead of the first command. */
  warm(): void {
    if (this.#opened !== undefined) return
    void this.#open().then(isOpen => (isOpen ? this.#fill(Number.POSITIVE_INFINITY) : undefined))
  }

  /** Just before a command; undefined if this tree is not followed. Never rejects. */
  begin(): Promise<CommandWindow | undefined> {
    return this.#alone(async () => {
      if (this.#closed || !(await this.#open())) return undefined
      const isFirst = this.#isFresh
      this.#isFresh = false
      if (!(await within(REFRESH_LIMIT_MS, signal => this.index.refresh('copied', signal)))) return undefined
      await this.#fill(isFirst ? FIRST_FILL_MS : FILL_MS)
      const window = new CommandWindow()
      for (const other of this.index.windows) {
        other.overlapped = true
        window.overlapped = true
      }
      this.index.windows.add(window)
      return window
    }, undefined)
  }

  /** After the command; false if the look at the tree did not come to its end. Never rejects. */
  end(window: CommandWindow): Promise<boolean> {
    return this.#alone(async () => {
      try {
        return await within(REFRESH_LIMIT_MS, signal => this.index.refresh('all', signal))
      } finally {
        this.index.windows.delete(window)
      }
    }, false)
  }

  /** Copies what changed, once the answer is out. */
  settle(): void {
    void this.#fill(Number.POSITIVE_INFINITY)
  }

  close(): void {
    this.#closed = true
    this.index.close()
  }

  #open(): Promise<boolean> {
    this.#opened ??= this.#firstLook()
    return this.#opened
  }

  async #firstLook(): Promise<boolean> {
    this.#isFresh = true
    const isOpen = await within(OPEN_LIMIT_MS, signal => this.index.open(signal))
    const looksMs = isOpen ? await measureLooks(this.index.files) : 0
    const count = this.index.files.size
    if (isOpen && looksMs <= this.maxLooksMs) return true
    this.onGiveUp(
      isOpen
        ? `looking at its ${count} files would take about ${Math.round(looksMs)} ms for each command`
        : 'it has too many files, or cannot be listed in time',
    )
    this.index.close()
    return false
  }

  async #fill(limitMs: number): Promise<void> {
    const end = performance.now() + limitMs
    await this.index.fill(() => this.#closed || performance.now() > end)
  }

  #alone<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
    const run = this.#last.then(look).catch(() => otherwise)
    this.#last = run
    return run
  }
}

/** False also if `look` throws or takes longer. */
async function within(limitMs: number, look: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), limitMs)
  try {
    return await look(stop.signal)
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
