import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { HarnessError } from '../cards/index.js'
import { throwIfAborted, toFileError } from './file-error.js'
import { decodeText, type FileType, SNIFF_BYTES, toFileType } from './file-type.js'
import { noteHash } from './hash-bytes.js'
import { openFile } from './open-file.js'
import type { ResolvedPath } from './resolve-path.js'

/** Larger files are read by ranges only. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024

const CHUNK_BYTES = 256 * 1024

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
  const { handle, stats } = await openFile(target)
  try {
    const tooLarge = () =>
      new HarnessError(
        'TOO_LARGE',
        `${target.spoken} is over ${MAX_FILE_BYTES / 1024 / 1024} MiB, too large to be handled whole.`,
      )
    if (stats.size > MAX_FILE_BYTES) throw tooLarge()
    const hash = createHash('sha256')
    const chunks: Buffer[] = []
    let sizeBytes = 0
    for await (const chunk of fileChunks(handle, signal)) {
      sizeBytes += chunk.length
      // Not only by stat: files under /proc have no size, and a log may grow while it is read.
      if (sizeBytes > MAX_FILE_BYTES) throw tooLarge()
      hash.update(chunk)
      chunks.push(chunk)
    }
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, sizeBytes)
    return {
      path: target.path,
      realPath: target.realPath,
      bytes,
      hash: noteHash(bytes, hash.digest('hex')),
      ...describeBytes(bytes),
      version: versionOf(stats),
    }
  } catch (error) {
    throw toFileError(error, 'read', target.spoken)
  } finally {
    await handle.close()
  }
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
export async function* fileChunks(handle: FileHandle, signal?: AbortSignal): AsyncGenerator<Buffer> {
  while (true) {
    throwIfAborted(signal)
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null)
    if (bytesRead === 0) return
    yield chunk.subarray(0, bytesRead)
  }
}
