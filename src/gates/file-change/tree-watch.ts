import { setTimeout as sleep } from 'node:timers/promises'
import { CommandWindow } from './command-window.js'
import { measureLooks } from './look-cost.js'
import { LookLimit } from './look-limit.js'
import type { TreeIndex } from './tree-index.js'
import { TreeLooks } from './tree-looks.js'
import type { TreeSurvey } from './tree-survey.js'

/** The first look goes on behind the first commands; so long one of them waits for it. */
const OPEN_LIMIT_MS = 60_000
const OPEN_WAIT_MS = 2000
/** A look ahead of any command costs no more than this. */
const AHEAD_LIMIT_MS = 50
const REFRESH_LIMIT_MS = 1000
/** How long a command waits for copies to be made: the first in a tree, and later ones. */
const FIRST_FILL_MS = 200
const FILL_MS = 30
/** So often a tree whose look did not come to its end is begun anew, unless that was long ago. */
const MAX_OPENINGS = 3
const LONG_AGO_MS = 300_000

/** One tree with its looks in order: no two at once. */
export class TreeWatch {
  readonly index: TreeIndex
  readonly #looks: TreeLooks
  #last: Promise<unknown> = Promise.resolve()
  #opened: Promise<boolean> | undefined
  /** What `#opened` came to. */
  #isOpen: boolean | undefined
  /** Whether the look ahead came to its end. */
  #ahead: Promise<boolean> | undefined
  #openings = 0
  #openedMs = 0
  #isFresh = false
  readonly #closing = new AbortController()

  constructor(
    private readonly survey: TreeSurvey,
    /** A tree of which the looks around a command take longer is not followed. */
    private readonly maxLooksMs: number,
    private readonly onGiveUp: (reason: string) => void,
  ) {
    this.index = survey.index
    this.#looks = new TreeLooks(survey)
  }

  /** Whether events tell what changes in it, so that no look at all of it is needed. */
  get isWatched(): boolean {
    return this.survey.events.isWorking
  }

  /** Takes the first look before there is any call, if it is a short one; else the first call begins it anew. */
  lookAhead(): void {
    if (this.#opened === undefined) this.#ahead ??= this.#lookShortly()
  }

  /** Takes the first look ahead of the first command. */
  warm(): void {
    if (this.#opened !== undefined) return
    void this.#open().then(isOpen => (isOpen ? this.#fill(Number.POSITIVE_INFINITY) : undefined))
  }

  /** Just before a command; undefined if this tree is not followed. Never rejects. */
  begin(): Promise<CommandWindow | undefined> {
    return this.#alone(async () => {
      if (this.#closing.signal.aborted) return undefined
      if (!(this.#isOpen ?? (await inTime(OPEN_WAIT_MS, this.#open())))) return undefined
      const isFirst = this.#isFresh
      this.#isFresh = false
      if (!(await this.#look('copied'))) return undefined
      await this.#fill(isFirst ? FIRST_FILL_MS : FILL_MS)
      const window = new CommandWindow(this.index.generation)
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
        return window.generation === this.index.generation && (await this.#look('all'))
      } finally {
        this.index.windows.delete(window)
      }
    }, false)
  }

  /** Copies what changed and looks here and there, once the answer is out. */
  settle(): void {
    void this.#fill(Number.POSITIVE_INFINITY)
    this.#looks.check()
  }

  close(): void {
    this.#closing.abort()
    this.#forget('closed')
  }

  #open(): Promise<boolean> {
    this.#opened ??= this.#firstLook()
      .catch(() => false)
      .then(isOpen => {
        this.#isOpen = isOpen
        return isOpen
      })
    return this.#opened
  }

  async #lookShortly(): Promise<boolean> {
    const isListed = await within(AHEAD_LIMIT_MS, this.#closing.signal, limit => this.#looks.open(limit))
    if (isListed) return true
    this.index.close()
    await this.survey.events.clear()
    return false
  }

  async #firstLook(): Promise<boolean> {
    const isListedAhead = (await this.#ahead) ?? false
    this.#ahead = undefined
    this.#isFresh = true
    this.#openings += 1
    this.#openedMs = performance.now()
    const isListed =
      isListedAhead || (await within(OPEN_LIMIT_MS, this.#closing.signal, limit => this.#looks.open(limit)))
    if (this.#closing.signal.aborted) return false
    if (!isListed) return this.#giveUp('it has too many files, or cannot be listed in time')
    return this.#isAffordable()
  }

  async #look(which: 'copied' | 'all'): Promise<boolean> {
    const { isWatched } = this
    const isWhole = await within(REFRESH_LIMIT_MS, this.#closing.signal, limit => this.#looks.again(which, limit))
    if (isWhole) return isWatched === this.isWatched || this.#isAffordable()
    // What events told of is used up, so that only a new beginning finds it; in the background.
    if (!isWatched) return false
    if (performance.now() - this.#openedMs > LONG_AGO_MS) this.#openings = 0
    if (this.#openings >= MAX_OPENINGS) return this.#giveUp('looking at it takes too long')
    this.index.close()
    this.#opened = undefined
    this.#isOpen = undefined
    this.warm()
    return false
  }

  /** Whether a tree that is not watched may be looked at as a whole around each command. */
  async #isAffordable(): Promise<boolean> {
    if (this.isWatched) return true
    const { files } = this.index
    if (files.size > this.survey.maxFiles) return this.#giveUp('it has too many files')
    const looksMs = await measureLooks(files)
    if (looksMs <= this.maxLooksMs) return true
    const cost = Math.round(looksMs)
    return this.#giveUp(`looking at its ${files.size} files would take about ${cost} ms for each command`)
  }

  #giveUp(reason: string): false {
    this.onGiveUp(reason)
    this.#opened = Promise.resolve(false)
    this.#isOpen = false
    this.#forget(reason)
    return false
  }

  #forget(reason: string): void {
    this.survey.events.fail(reason)
    this.index.close()
  }

  async #fill(limitMs: number): Promise<void> {
    const end = performance.now() + limitMs
    await this.index.fill(() => this.#closing.signal.aborted || performance.now() > end)
  }

  #alone<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
    const run = this.#last.then(look).catch(() => otherwise)
    this.#last = run
    return run
  }
}

/** False also if `look` throws, takes longer, or `ends` says so. */
async function within(
  limitMs: number,
  ends: AbortSignal,
  look: (limit: LookLimit) => Promise<boolean>,
): Promise<boolean> {
  const limit = new LookLimit(limitMs, ends)
  try {
    return await look(limit)
  } catch {
    return false
  } finally {
    limit.release()
  }
}

/** False if the answer takes longer. */
async function inTime(limitMs: number, answer: Promise<boolean>): Promise<boolean> {
  const stop = new AbortController()
  const late = sleep(limitMs, false, { signal: stop.signal }).catch(() => false)
  try {
    return await Promise.race([answer, late])
  } finally {
    stop.abort()
  }
}
