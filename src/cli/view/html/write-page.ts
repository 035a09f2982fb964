import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HarnessError } from '../../../cards/index.js'
import type { ViewEntry } from '../entry.js'
import { type EntryDetail, entryHtml } from './entry-html.js'
import { PAGE_START, type PageFacts, pageEnd, pageStart, sessionHeading } from './page-html.js'

/** Sizes of the thread from which on a page leaves out messages, content, and whole entries. */
interface PageLimits {
  framesBytes: number
  contentBytes: number
  threadBytes: number
}

// What browsers still open at once.
const LIMITS: PageLimits = {
  framesBytes: 24 * 1024 * 1024,
  contentBytes: 40 * 1024 * 1024,
  threadBytes: 48 * 1024 * 1024,
}

/**
 * Writes a page entry by entry, so that it is never in memory as a whole: first the thread, into a file beside the target,
 * then the page, whose start has the counts.
 */
export class PageWriter {
  #bytes = 0
  #leftOut = 0
  #sessionId: string | undefined

  private constructor(
    private readonly target: string,
    private readonly directory: string,
    private readonly thread: FileHandle,
    private readonly limits: PageLimits,
  ) {}

  /** INVALID_ARGS if a file is there that is not such a page. */
  static async create(target: string, limits = LIMITS): Promise<PageWriter> {
    await refuseForeign(target)
    const directory = await mkdtemp(join(dirname(target), `.${basename(target)}-`)).catch(cause => {
      throw new HarnessError('INVALID_ARGS', `${dirname(target)} is no folder that a page can be written to.`, {
        cause,
      })
    })
    return new PageWriter(target, directory, await open(join(directory, 'thread'), 'wx'), limits)
  }

  async add(entry: ViewEntry): Promise<void> {
    const detail = this.#detail()
    if (detail === undefined) {
      this.#leftOut++
      return
    }
    const { sessionId } = entry
    const heading = sessionId !== undefined && sessionId !== this.#sessionId ? sessionHeading(sessionId) : ''
    this.#sessionId = sessionId ?? this.#sessionId
    const { bytesWritten } = await this.thread.write(heading + entryHtml(entry, detail).text)
    this.#bytes += bytesWritten
  }

  /** Puts the whole page in its place. */
  async finish(facts: PageFacts): Promise<void> {
    await this.thread.close()
    const path = join(this.directory, 'page')
    const page = await open(path, 'wx')
    try {
      await page.write(pageStart(facts))
      for await (const chunk of createReadStream(join(this.directory, 'thread'))) await page.write(chunk as Buffer)
      await page.write(pageEnd(this.#leftOut))
    } finally {
      await page.close()
    }
    await rename(path, this.target)
  }

  /** Leaves nothing behind but a finished page. */
  async dispose(): Promise<void> {
    await this.thread.close().catch(() => {})
    await rm(this.directory, { recursive: true, force: true })
  }

  #detail(): EntryDetail | undefined {
    const { framesBytes, contentBytes, threadBytes } = this.limits
    if (this.#bytes < framesBytes) return 'whole'
    if (this.#bytes < contentBytes) return 'without-frames'
    return this.#bytes < threadBytes ? 'head' : undefined
  }
}

async function refuseForeign(target: string): Promise<void> {
  const file = await open(target).catch(() => undefined)
  if (!file) return
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PAGE_START.length), 0, PAGE_START.length, 0)
    if (bytesRead > 0 && buffer.toString('latin1', 0, bytesRead) !== PAGE_START)
      throw new HarnessError('INVALID_ARGS', `${target} is there and is no page of "deckhand view": not overwritten`)
  } finally {
    await file.close()
  }
}
