import { closeSync, lstatSync, read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { HarnessError, hasErrorCode } from '../cards/index.js'
import { throwIfAborted, toFileError } from './file-error.js'
import { decodeText, type FileType, SNIFF_BYTES, toFileType } from './file-type.js'
import { hashBytes } from './hash-bytes.js'
import { type OpenedFile, openFile } from './open-file.js'
import type { ResolvedPath } from './resolve-path.js'

/** Larger files are read by ranges only. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024

/** Files up to this are read, and written, at once: a trip through the thread pool costs more than the work itself. */
export const AT_ONCE_BYTES = 256 * 1024

const CHUNK_BYTES = 256 * 1024
const END_BYTES = 4096
const readLater = promisify(read)

/** A whole file at one moment. */
export interface FileContent {
  /** Absolute, as the session spells it. */
  path: string
  realPath: string
  bytes: Buffer
  /** SHA-256 of the bytes, hex. */
  hash: string
  type: FileType
  /** Without the byte order mark, line endings as they are; undefined unless the type is text. */
  text?: string
  /** Tells this version of the file from a later one without reading it. */
  version: string
  /** The text is an editor's that is not saved; the disk has another, or no file. */
  unsaved?: true
}

/** Reads a whole file. Throws NOT_FOUND, NOT_A_FILE, TOO_LARGE, FILE_FAILED, ABORTED. */
export async function readWholeFile(target: ResolvedPath, signal?: AbortSignal): Promise<FileContent> {
  const file = openFile(target)
  try {
    const bytes = await readBytes(file, target.spoken, signal)
    return {
      path: target.path,
      realPath: target.realPath,
      bytes,
      hash: await hashBytes(bytes),
      ...describeBytes(bytes),
      version: versionOf(file.stats),
    }
  } catch (error) {
    throw toFileError(error, 'read', target.spoken)
  } finally {
    closeSync(file.fd)
  }
}

/** As readWholeFile, but null if there is no file. */
export async function readFileIfThere(target: ResolvedPath, signal?: AbortSignal): Promise<FileContent | null> {
  // An error for each file that is about to be made would cost more than the look.
  if (!isThere(target.realPath)) return null
  try {
    return await readWholeFile(target, signal)
  } catch (error) {
    if (hasErrorCode(error, 'NOT_FOUND')) return null
    throw error
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

async function readBytes(file: OpenedFile, spoken: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = Number(file.stats.size)
  if (sizeBytes <= MAX_FILE_BYTES) {
    sizeBytes = 0
    for await (const chunk of fileChunks(file, signal)) {
      sizeBytes += chunk.length
      chunks.push(chunk)
      // Not only by stat: files under /proc have no size, and a log may grow while it is read.
      if (sizeBytes > MAX_FILE_BYTES) break
    }
  }
  if (sizeBytes > MAX_FILE_BYTES) {
    const limit = `${MAX_FILE_BYTES / 1024 / 1024} MiB`
    throw new HarnessError('TOO_LARGE', `${spoken} is over ${limit}, too large to be handled whole.`)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, sizeBytes)
}

/** Type and text of a file's bytes. */
export function describeBytes(bytes: Buffer): { type: FileType; text?: string } {
  const type = toFileType(bytes.subarray(0, SNIFF_BYTES), bytes.length <= SNIFF_BYTES)
  return type.kind === 'text' ? { type, text: decodeText(bytes, type) } : { type }
}

/** Changes whenever a program saves the file, as far as the file system's clock can tell. */
export function versionOf(stats: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint }): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`
}

/** The file from its current position to its end, a piece at a time; each piece is the receiver's own. */
export async function* fileChunks({ fd, stats }: OpenedFile, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const sizeBytes = Number(stats.size)
  // A file without a size is made while it is read, which may take its time.
  const isSmall = sizeBytes > 0 && sizeBytes < AT_ONCE_BYTES
  let room = isSmall ? sizeBytes + 1 : CHUNK_BYTES
  while (true) {
    throwIfAborted(signal)
    const chunk = Buffer.allocUnsafe(room)
    const bytesRead = isSmall ? readSync(fd, chunk) : (await readLater(fd, chunk, 0, room, null)).bytesRead
    if (bytesRead === 0) return
    yield chunk.subarray(0, bytesRead)
    // What comes behind the size is its end, if the file has not grown.
    if (isSmall) room = END_BYTES
  }
}
