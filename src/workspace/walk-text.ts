import { close, constants, fstat, open, read } from 'node:fs'
import { promisify } from 'node:util'
import { decodeText, SNIFF_BYTES, toFileType } from './file-type.js'

/** A file as a search sees it: its text without a byte order mark, or why there is none. */
export type SearchText =
  | { kind: 'text'; text: string }
  | { kind: 'large'; sizeBytes: number }
  | { kind: 'binary' }
  | { kind: 'unreadable' }

const FIRST_READ_BYTES = 64 * 1024
const MAX_SPARE_HEADS = 32
const spareHeads: Buffer[] = []

// Never waits for a FIFO's writer; a file that became a link since the walk saw it is not followed (B63).
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

// Plain descriptors: a FileHandle for each of 100,000 files doubles the time of a search.
const openFd = promisify(open)
const closeFd = promisify(close)
const statFd = promisify(fstat)
const readFd = promisify(read)

/** Reads one file of a walk by its real path. Never rejects: one bad file must not end a search. */
export async function readSearchText(realPath: string, maxBytes: number): Promise<SearchText> {
  const head = spareHeads.pop() ?? Buffer.allocUnsafe(FIRST_READ_BYTES)
  try {
    const fd = await openFd(realPath, flags)
    try {
      const { bytesRead } = await readFd(fd, head, 0, FIRST_READ_BYTES, 0)
      // Decoded at once, so the buffer is free again.
      if (bytesRead < FIRST_READ_BYTES) return toSearchText(head.subarray(0, bytesRead))
      const stats = await statFd(fd)
      if (!stats.isFile()) return { kind: 'unreadable' }
      if (stats.size > maxBytes) return { kind: 'large', sizeBytes: stats.size }
      return toSearchText(await readRest(fd, head, stats.size))
    } finally {
      await closeFd(fd)
    }
  } catch {
    return { kind: 'unreadable' }
  } finally {
    if (spareHeads.length < MAX_SPARE_HEADS) spareHeads.push(head)
  }
}

async function readRest(fd: number, head: Buffer, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(sizeBytes, head.length))
  let length = head.copy(bytes)
  while (length < bytes.length) {
    const { bytesRead } = await readFd(fd, bytes, length, bytes.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function toSearchText(bytes: Buffer): SearchText {
  const type = toFileType(bytes.subarray(0, SNIFF_BYTES), bytes.length <= SNIFF_BYTES)
  return type.kind === 'text' ? { kind: 'text', text: decodeText(bytes, type) } : { kind: 'binary' }
}
