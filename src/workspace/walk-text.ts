import { close, closeSync, constants, fstat, fstatSync, open, openSync, read, readSync, type Stats } from 'node:fs'
import { promisify } from 'node:util'
import { decodeText, SNIFF_BYTES, toFileType } from './file-type.js'
import { lookPaced, type Pace } from './walk-pace.js'

/** A file as a search sees it: its text without a byte order mark, or why there is none. */
export type SearchText =
  | { kind: 'text'; text: string }
  | { kind: 'large'; sizeBytes: number }
  | { kind: 'binary' }
  | { kind: 'unreadable' }

const FIRST_READ_BYTES = 64 * 1024
/** Larger files are left to the thread pool: a blocking read of them may hold the event loop. */
const MAX_BLOCKING_BYTES = 256 * 1024
const MAX_SPARE_HEADS = 32
const spareHeads: Buffer[] = []

// Never waits for a FIFO's writer; a file that became a link since the walk saw it is not followed (B63).
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

// Plain descriptors: a FileHandle for each of 100,000 files doubles the time of a search.
const openFd = promisify(open)
const closeFd = promisify(close)
const statFd = promisify(fstat)
const readFd = promisify(read)

/** Reads some files of a walk by their real paths, in their order. Never rejects: one bad file must not end a search. */
export function readSearchTexts(realPaths: readonly string[], maxBytes: number, pace: Pace): Promise<SearchText[]> {
  const mayBlock = maxBytes <= MAX_BLOCKING_BYTES
  return lookPaced(realPaths, pace, {
    blocking: mayBlock ? (path, startedAt) => readBlocking(path, maxBytes, pace, startedAt) : undefined,
    pooled: path => readPooled(path, maxBytes),
  })
}

function readBlocking(path: string, maxBytes: number, pace: Pace, startedAt: number): SearchText {
  const head = takeHead()
  try {
    const fd = openSync(path, flags)
    try {
      const bytesRead = readSync(fd, head, 0, FIRST_READ_BYTES, 0)
      pace.took(performance.now() - startedAt)
      if (bytesRead < FIRST_READ_BYTES) return toSearchText(head.subarray(0, bytesRead))
      const stats = fstatSync(fd)
      const refused = refuse(stats, maxBytes)
      if (refused !== undefined) return refused
      const rest = openRest(head, stats.size)
      while (rest.length < rest.bytes.length) {
        const count = readSync(fd, rest.bytes, rest.length, rest.bytes.length - rest.length, rest.length)
        if (count === 0) break
        rest.length += count
      }
      return toSearchText(rest.bytes.subarray(0, rest.length))
    } finally {
      closeSync(fd)
    }
  } catch {
    return { kind: 'unreadable' }
  } finally {
    giveBack(head)
  }
}

async function readPooled(path: string, maxBytes: number): Promise<SearchText> {
  const head = takeHead()
  try {
    const fd = await openFd(path, flags)
    try {
      const { bytesRead } = await readFd(fd, head, 0, FIRST_READ_BYTES, 0)
      // Decoded at once, so the buffer is free again.
      if (bytesRead < FIRST_READ_BYTES) return toSearchText(head.subarray(0, bytesRead))
      const stats = await statFd(fd)
      const refused = refuse(stats, maxBytes)
      if (refused !== undefined) return refused
      const rest = openRest(head, stats.size)
      while (rest.length < rest.bytes.length) {
        const { bytesRead: count } = await readFd(
          fd,
          rest.bytes,
          rest.length,
          rest.bytes.length - rest.length,
          rest.length,
        )
        if (count === 0) break
        rest.length += count
      }
      return toSearchText(rest.bytes.subarray(0, rest.length))
    } finally {
      await closeFd(fd)
    }
  } catch {
    return { kind: 'unreadable' }
  } finally {
    giveBack(head)
  }
}

function takeHead(): Buffer {
  return spareHeads.pop() ?? Buffer.allocUnsafe(FIRST_READ_BYTES)
}

function giveBack(head: Buffer): void {
  if (spareHeads.length < MAX_SPARE_HEADS) spareHeads.push(head)
}

function refuse(stats: Stats, maxBytes: number): SearchText | undefined {
  if (!stats.isFile()) return { kind: 'unreadable' }
  return stats.size > maxBytes ? { kind: 'large', sizeBytes: stats.size } : undefined
}

function openRest(head: Buffer, sizeBytes: number): { bytes: Buffer; length: number } {
  const bytes = Buffer.allocUnsafe(Math.max(sizeBytes, head.length))
  return { bytes, length: head.copy(bytes) }
}

function toSearchText(bytes: Buffer): SearchText {
  const type = toFileType(bytes.subarray(0, SNIFF_BYTES), bytes.length <= SNIFF_BYTES)
  return type.kind === 'text' ? { kind: 'text', text: decodeText(bytes, type) } : { kind: 'binary' }
}
