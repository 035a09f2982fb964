import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { HarnessError } from '../../cards/index.js'
import {
  Pace,
  readSearchTexts,
  runBounded,
  type SearchText,
  type WalkEntry,
  type WalkSummary,
} from '../../workspace/index.js'
import { FileScan, type LineHit } from './file-scan.js'
import type { Group } from './narrow.js'

/** Larger files are left out. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024
/** Larger files are read one at a time. */
const MAX_BYTES_TOGETHER = 256 * 1024
/** A large text is looked through in pieces of it, which overlap by what a needle may find. */
const PIECE_LENGTH = 1024 * 1024
const MAX_NEEDLE_LENGTH = 256
const SLICE_MS = 15
const SLICE_LIMIT_MS = 40
const MAX_SKIPPED_LINES = 20
const DEFAULT_BUDGET_MS = 60_000

export interface SearchOptions {
  regex: RegExp
  /** Matches in every text that has a hit, in time that grows with the text only. */
  needle?: RegExp | undefined
  /** Hits kept per file; the rest is counted. */
  maxHits: number
  signal: AbortSignal
  /** Default 60 s. */
  budgetMs?: number
}

/** The hits of one file, at least one. */
export interface FileHits {
  entry: WalkEntry
  text: string
  hits: LineHit[]
  hitCount: number
}

/** What a search did; grows while it runs. */
export interface SearchTally {
  filesSearched: number
  filesBinary: number
  filesLarge: number
  filesUnreadable: number
  linesSkipped: number
  /** Why it ended before the last file. */
  stopped?: 'time' | 'pattern'
}

/** Searches files in their order. No pattern can hold the process: a match is cut off in the middle if it must be. */
export class Search {
  readonly tally: SearchTally = { filesSearched: 0, filesBinary: 0, filesLarge: 0, filesUnreadable: 0, linesSkipped: 0 }
  /** What the walk had left out up to the files that were searched last, if those are not the end. */
  reached: WalkSummary | undefined
  private readonly deadline: number
  private readonly pace = new Pace()
  private sliceEnd = 0

  constructor(private readonly options: SearchOptions) {
    this.deadline = performance.now() + (options.budgetMs ?? DEFAULT_BUDGET_MS)
  }

  /** Yields the files that have hits. Throws ABORTED, and whatever `groups` throws. */
  async *run(groups: AsyncIterable<Group>): AsyncGenerator<FileHits> {
    for await (const group of groups) {
      this.reached = group.summary
      yield* this.searchGroup(group)
      if (performance.now() > this.deadline) this.tally.stopped ??= 'time'
      if (this.tally.stopped !== undefined) return
    }
    this.reached = undefined
  }

  private async *searchGroup({ entries, possible }: Group): AsyncGenerator<FileHits> {
    if (performance.now() > this.sliceEnd) {
      await yieldToLoop()
      this.sliceEnd = performance.now() + SLICE_MS
    }
    this.throwIfAborted()
    const wanted = possible === undefined ? entries : entries.filter(({ realPath }) => possible.has(realPath))
    const texts = await this.read(wanted, MAX_BYTES_TOGETHER)
    const scans = texts.map(found =>
      found.kind === 'text' && this.mayMatch(found.text) ? this.open(found) : undefined,
    )
    await this.scan(scans.filter(scan => scan !== undefined))
    let next = 0
    for (const entry of entries) {
      const isWanted = entry === wanted[next]
      let scan = isWanted ? scans[next] : undefined
      let found = isWanted ? texts[next++] : undefined
      if (found?.kind === 'large' && found.sizeBytes <= MAX_FILE_BYTES) {
        found = (await this.read([entry], MAX_FILE_BYTES))[0]
        scan = found?.kind === 'text' && (await this.mayMatchLarge(found.text)) ? this.open(found) : undefined
        if (scan !== undefined) await this.scan([scan])
      }
      this.count(found)
      if (scan === undefined) continue
      this.tally.linesSkipped += scan.skippedLines
      if (scan.hitCount > 0) yield { entry, text: scan.text, hits: scan.hits, hitCount: scan.hitCount }
      // The search ended here.
      if (!scan.done) return
    }
  }

  private read(entries: readonly WalkEntry[], maxBytes: number): Promise<SearchText[]> {
    const paths = entries.map(({ realPath }) => realPath)
    return readSearchTexts(paths, maxBytes, this.pace)
  }

  private mayMatch(text: string): boolean {
    return this.options.needle?.test(text) ?? true
  }

  private async mayMatchLarge(text: string): Promise<boolean> {
    for (let start = 0; start < text.length; start += PIECE_LENGTH) {
      this.throwIfAborted()
      if (this.mayMatch(text.slice(start, start + PIECE_LENGTH + MAX_NEEDLE_LENGTH))) return true
      await yieldToLoop()
    }
    return false
  }

  private open({ text }: { text: string }): FileScan {
    return new FileScan(text, this.options.regex, this.options.maxHits)
  }

  /** Undefined: not looked at, as it is text without a hit. */
  private count(found: SearchText | undefined): void {
    if (found?.kind === 'binary') this.tally.filesBinary += 1
    else if (found?.kind === 'unreadable') this.tally.filesUnreadable += 1
    else if (found?.kind === 'large') this.tally.filesLarge += 1
    else this.tally.filesSearched += 1
  }

  // Short slices, so that the event loop turns; the bound of a slice is for a single line that outlasts it.
  private async scan(scans: FileScan[]): Promise<void> {
    while (this.tally.stopped === undefined) {
      this.throwIfAborted()
      const pending = scans.find(scan => !scan.done)
      if (pending === undefined) return
      const sliceEnd = performance.now() + SLICE_MS
      const whole = runBounded(() => {
        for (const scan of scans) if (!scan.done && performance.now() < sliceEnd) scan.advance(sliceEnd)
      }, SLICE_LIMIT_MS)
      const left = scans.find(scan => !scan.done)
      if (!whole) left?.interrupted()
      if (left === undefined) return
      if (performance.now() > this.deadline) this.tally.stopped = 'time'
      if (this.tally.linesSkipped + countSkipped(scans) >= MAX_SKIPPED_LINES) this.tally.stopped = 'pattern'
      else await yieldToLoop()
    }
  }

  private throwIfAborted(): void {
    if (this.options.signal.aborted) throw new HarnessError('ABORTED', 'The search was stopped.')
  }
}

function countSkipped(scans: readonly FileScan[]): number {
  return scans.reduce((sum, scan) => sum + scan.skippedLines, 0)
}
