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
    let files = 0
    let searchMs = 0
    for (let isOpened = false; finder === undefined; ) {
      if (!isOpened && files >= limits.first) {
        isOpened = true
        finder = await openFinder()
        continue
      }
      const batch = await walked.next()
      if (batch === undefined) return walked.end()
      const startedAt = performance.now()
      yield batch
      searchMs += performance.now() - startedAt
      files += batch.entries.length
    }
    const searchMsPerFile = searchMs / files
    const pace = new Pace()
    const waiting: Chunk[] = []
    let chunks = 0
    for (let size = limits.least; ; size = Math.min(size * 2, limits.most)) {
      while (waiting.length < 2) {
        const chunk = await takeChunk(walked, size, limits.mostPathBytes)
        if (chunk === undefined) break
        if (finder.isUsable && chunk.files >= limits.least) {
          chunk.possible = askFor(chunk.batches, finder, limits.maxFileBytes, pace)
        }
        waiting.push(chunk)
      }
      const chunk = waiting.shift()
      if (chunk === undefined) return walked.end()
      const startedAt = performance.now()
      const possible = await chunk.possible
      const waitedMs = performance.now() - startedAt
      // The wait for the first two covers the start.
      const isSlow = ++chunks > 2 && waitedMs > searchMsPerFile * chunk.files
      // Where most files have one of the texts, looking at each at once is faster.
      if (possible !== undefined && (isSlow || possible.size > chunk.files / 2)) await finder.stop()
      for (const batch of chunk.batches) yield { ...batch, possible }
    }
  } finally {
    await Promise.all([finder?.stop(), walked.close()])
  }
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
  private hasEnded = false

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

  /** Throws the failure, if that was the end. */
  end(): void {
    if (this.failure) throw this.failure.error
  }

  async close(): Promise<void> {
    await this.batches.return?.()
  }
}
