import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { HarnessError } from '../../cards/index.js'
import { readSearchText, runBounded, type WalkEntry } from '../../workspace/index.js'
import { FileScan, type LineHit } from './file-scan.js'

const MAX_FILE_BYTES = 10 * 1024 * 1024
const MAX_FILES_TOGETHER = 32
/** Larger files are read one at a time. */
const MAX_BYTES_TOGETHER = 256 * 1024
const SLICE_MS = 15
const SLICE_LIMIT_MS = 40
const MAX_SKIPPED_LINES = 20
const DEFAULT_BUDGET_MS = 60_000

export interface SearchOptions {
  regex: RegExp
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
  private readonly deadline: number

  constructor(private readonly options: SearchOptions) {
    this.deadline = performance.now() + (options.budgetMs ?? DEFAULT_BUDGET_MS)
  }

  /** Yields the files that have hits. Throws ABORTED, and whatever `entries` throws. */
  async *run(entries: AsyncIterable<WalkEntry>): AsyncGenerator<FileHits> {
    for await (const batch of batchesOf(entries, MAX_FILES_TOGETHER)) {
      yield* this.searchBatch(batch)
      if (performance.now() > this.deadline) this.tally.stopped ??= 'time'
      if (this.tally.stopped !== undefined) return
    }
  }

  private async *searchBatch(entries: WalkEntry[]): AsyncGenerator<FileHits> {
    const texts = await Promise.all(entries.map(entry => readSearchText(entry.realPath, MAX_BYTES_TOGETHER)))
    const { regex, maxHits } = this.options
    const scans = texts.map(found => (found.kind === 'text' ? new FileScan(found.text, regex, maxHits) : undefined))
    await this.scan(scans.filter(scan => scan !== undefined))
    for (const [index, entry] of entries.entries()) {
      const found = texts[index]!
      const scan = scans[index] ?? (found.kind === 'large' ? await this.scanLarge(entry, found.sizeBytes) : undefined)
      if (scan !== undefined) this.tally.filesSearched += 1
      else if (found.kind === 'binary') this.tally.filesBinary += 1
      else if (found.kind === 'unreadable') this.tally.filesUnreadable += 1
      if (scan !== undefined && scan.hitCount > 0) {
        yield { entry, text: scan.text, hits: scan.hits, hitCount: scan.hitCount }
      }
    }
  }

  private async scanLarge(entry: WalkEntry, sizeBytes: number): Promise<FileScan | undefined> {
    if (this.tally.stopped !== undefined) return undefined
    const found = sizeBytes > MAX_FILE_BYTES ? undefined : await readSearchText(entry.realPath, MAX_FILE_BYTES)
    if (found?.kind === 'binary') this.tally.filesBinary += 1
    else if (found?.kind === 'unreadable') this.tally.filesUnreadable += 1
    else if (found?.kind !== 'text') this.tally.filesLarge += 1
    if (found?.kind !== 'text') return undefined
    const scan = new FileScan(found.text, this.options.regex, this.options.maxHits)
    await this.scan([scan])
    return scan
  }

  // Short slices, so that the event loop turns; the bound of a slice is for a single line that outlasts it.
  private async scan(scans: FileScan[]): Promise<void> {
    for (;;) {
      if (this.options.signal.aborted) throw new HarnessError('ABORTED', 'The search was stopped.')
      const skippedBefore = countSkipped(scans)
      const sliceEnd = performance.now() + SLICE_MS
      const whole = runBounded(() => {
        for (const scan of scans) if (!scan.done && performance.now() < sliceEnd) scan.advance(sliceEnd)
      }, SLICE_LIMIT_MS)
      const pending = scans.find(scan => !scan.done)
      if (!whole) pending?.interrupted()
      this.tally.linesSkipped += countSkipped(scans) - skippedBefore
      if (pending === undefined) return
      if (performance.now() > this.deadline) this.tally.stopped = 'time'
      if (this.tally.linesSkipped >= MAX_SKIPPED_LINES) this.tally.stopped = 'pattern'
      if (this.tally.stopped !== undefined) return
      await yieldToLoop()
    }
  }
}

function countSkipped(scans: readonly FileScan[]): number {
  return scans.reduce((sum, scan) => sum + scan.skippedLines, 0)
}

async function* batchesOf<T>(items: AsyncIterable<T>, length: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < length) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
