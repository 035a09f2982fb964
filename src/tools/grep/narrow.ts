import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { areFilesUpTo, Pace, type WalkBatch } from '../../workspace/index.js'

/** Tells which files may have a hit; see Ripgrep. */
export interface CandidateFinder {
  /** Whether it is worth asking. */
  readonly isUsable: boolean
  find(paths: readonly string[]): Promise<ReadonlySet<string> | undefined>
  stop(): Promise<void>
}

/** When it pays to ask. Counts are of files. */
export interface NarrowingLimits {
  /** Searched before anything is asked: many searches end there. */
  first: number
  /** Less is not worth a process. */
  least: number
  most: number
  mostPathBytes: number
  /** Larger files are not for the finder. */
  maxFileBytes: number
}

/** Some entries of a walk. Those whose real path is not in `possible` are text without a hit. */
export interface Group extends WalkBatch {
  possible?: ReadonlySet<string> | undefined
}

interface Chunk {
  batches: WalkBatch[]
  files: number
  possible: Promise<ReadonlySet<string> | undefined> | undefined
}

/**
 * The batches of a walk in their order, each once it is known which of its files are worth a look; the walk goes on
 * meanwhile. Throws what the walk throws, after what came before. The finder is ended with it.
 */
export async function* narrow(
  batches: AsyncIterable<WalkBatch>,
  openFinder: () => Promise<CandidateFinder | undefined>,
  limits: NarrowingLimits,
): AsyncGenerator<Group> {
  const walked = new Walked(batches)
  let finder: CandidateFinder | undefined
  try {
    const alone = yield* passOn(walked, limits.first)
    if (!walked.hasEnded) {
      finder = await openFinder()
      if (finder === undefined) yield* passOn(walked, Number.POSITIVE_INFINITY)
      else yield* askAhead(walked, finder, limits, toLowerQuartile(alone))
    }
    walked.throwFailure()
  } finally {
    await Promise.all([finder?.stop(), walked.close()])
  }
}

/** Passes batches on until they are so many files. Returns the milliseconds that a file of each took, its search included. */
async function* passOn(walked: Walked, mostFiles: number): AsyncGenerator<WalkBatch, number[]> {
  const times: number[] = []
  for (let files = 0; files < mostFiles; ) {
    const startedAt = performance.now()
    const batch = await walked.next()
    if (batch === undefined) break
    yield batch
    files += batch.entries.length
    times.push((performance.now() - startedAt) / batch.entries.length)
  }
  return times
}

/** Asks about one chunk while the one before it is searched, as long as that is faster than `aloneMsPerFile`. */
async function* askAhead(
  walked: Walked,
  finder: CandidateFinder,
  limits: NarrowingLimits,
  aloneMsPerFile: number,
): AsyncGenerator<Group> {
  const pace = new Pace()
  const waiting: Chunk[] = []
  for (let size = limits.least, chunks = 0; ; size = Math.min(size * 2, limits.most)) {
    const startedAt = performance.now()
    while (waiting.length < 2) {
      const chunk = await takeChunk(walked, size, limits.mostPathBytes)
      if (chunk === undefined) break
      if (finder.isUsable && chunk.files >= limits.least) {
        chunk.possible = askFor(chunk.batches, finder, limits.maxFileBytes, pace)
      }
      waiting.push(chunk)
    }
    const chunk = waiting.shift()
    if (chunk === undefined) return
    const possible = await chunk.possible
    // Where most files have one of the texts, looking at each at once is faster.
    if (possible !== undefined && possible.size > chunk.files / 2) await finder.stop()
    for (const batch of chunk.batches) yield { ...batch, possible }
    chunks += 1
    // The first covers the start of the second.
    const isSlower = performance.now() - startedAt > aloneMsPerFile * chunk.files
    if (chunks > 1 && possible !== undefined && isSlower) await finder.stop()
  }
}

// The first batches of a process take longer than all that follow.
function toLowerQuartile(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 2] ?? Number.POSITIVE_INFINITY
}

async function takeChunk(walked: Walked, mostFiles: number, mostPathBytes: number): Promise<Chunk | undefined> {
  const chunk: Chunk = { batches: [], files: 0, possible: undefined }
  let pathBytes = 0
  while (chunk.files < mostFiles && pathBytes < mostPathBytes) {
    const batch = await walked.next()
    if (batch === undefined) break
    chunk.batches.push(batch)
    chunk.files += batch.entries.length
    for (const { relativePath } of batch.entries) pathBytes += Buffer.byteLength(relativePath) + 1
  }
  return chunk.files === 0 ? undefined : chunk
}

// What is no regular file by now, or too large, is left to the search.
async function askFor(
  batches: readonly WalkBatch[],
  finder: CandidateFinder,
  maxFileBytes: number,
  pace: Pace,
): Promise<ReadonlySet<string> | undefined> {
  const paths = batches.flatMap(({ entries }) => entries.map(({ realPath }) => realPath))
  await yieldToLoop()
  const areAsked = await areFilesUpTo(paths, maxFileBytes, pace)
  await yieldToLoop()
  const found = await finder.find(paths.filter((_, index) => areAsked[index]))
  return found && new Set([...found, ...paths.filter((_, index) => !areAsked[index])])
}

/** A walk whose failure waits until everything before it was used. */
class Walked {
  private readonly batches: AsyncIterator<WalkBatch>
  private failure: { error: unknown } | undefined
  hasEnded = false

  constructor(batches: AsyncIterable<WalkBatch>) {
    this.batches = batches[Symbol.asyncIterator]()
  }

  async next(): Promise<WalkBatch | undefined> {
    if (this.hasEnded) return undefined
    try {
      const { done, value } = await this.batches.next()
      if (!done) return value
    } catch (error) {
      this.failure = { error }
    }
    this.hasEnded = true
    return undefined
  }

  /** Throws what ended the walk, if it failed. */
  throwFailure(): void {
    if (this.failure) throw this.failure.error
  }

  async close(): Promise<void> {
    await this.batches.return?.()
  }
}
