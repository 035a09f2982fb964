import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { throwIfAborted, toFileError } from './file-error.js'
import { type FileType, SNIFF_BYTES, type TextEncoding, toFileType } from './file-type.js'
import { type FileLine, type LineRange, LineWindow } from './line-window.js'
import { openFile } from './open-file.js'
import { type FileContent, fileChunks, MAX_FILE_BYTES } from './read-file.js'
import type { ResolvedPath } from './resolve-path.js'

/** Some lines of a file. `lines` is empty unless the type is text. */
export interface FileLines {
  /** Absolute, as the session spells it. */
  path: string
  realPath: string
  type: FileType
  sizeBytes: number
  lines: FileLine[]
  /** Lines of the whole file; absent if the file is so large that reading stopped after the range. */
  lineCount?: number
  /** Hash of the whole file, as FileContent has it; absent under the same condition, and unless the type is text. */
  hash?: string
  /** The text is an editor's that is not saved, as FileContent has it. */
  unsaved?: true
}

/**
 * Reads a range of lines, holding no more of the file than that. Files over 50 MiB are read up to the end of the range.
 * Throws NOT_FOUND, NOT_A_FILE, FILE_FAILED, ABORTED.
 */
export async function readFileLines(target: ResolvedPath, range: LineRange, signal?: AbortSignal): Promise<FileLines> {
  const file = openFile(target)
  try {
    const known = { path: target.path, realPath: target.realPath, sizeBytes: Number(file.stats.size) }
    const window = new LineWindow(range)
    const hash = createHash('sha256')
    let type: FileType | undefined
    let toUtf8 = (piece: Buffer) => piece
    let readBytes = 0
    for await (const chunk of fileChunks(file, signal)) {
      if (type === undefined) {
        type = toFileType(chunk.subarray(0, SNIFF_BYTES), known.sizeBytes <= Math.min(chunk.length, SNIFF_BYTES))
        if (type.kind !== 'text') return { ...known, type, lines: [] }
        toUtf8 = utf8Converter(type.encoding)
      }
      hash.update(chunk)
      const bomBytes = readBytes === 0 && type.kind === 'text' && type.encoding === 'utf-8' ? type.bomBytes : 0
      window.push(toUtf8(chunk.subarray(bomBytes)))
      readBytes += chunk.length
      if (readBytes > MAX_FILE_BYTES && (window.complete || window.inLongLine)) {
        window.end()
        return withoutBinary({ ...known, type, lines: window.lines })
      }
    }
    throwIfAborted(signal)
    window.end()
    return withoutBinary({
      ...known,
      type: type ?? { kind: 'text', encoding: 'utf-8', bomBytes: 0 },
      lines: window.lines,
      lineCount: window.lineCount,
      hash: hash.digest('hex'),
    })
  } catch (error) {
    throw toFileError(error, 'read', target.spoken)
  } finally {
    closeSync(file.fd)
  }
}

/** A range of lines of a file that has been read already, UTF-8 or 8-bit text. */
export function linesOfContent(content: FileContent, range: LineRange): FileLines {
  const { path, realPath, bytes, hash, type, unsaved } = content
  const window = new LineWindow(range)
  window.push(bytes.subarray(type.kind === 'text' ? type.bomBytes : 0))
  window.end()
  const { lines, lineCount } = window
  const sizeBytes = bytes.length
  return withoutBinary({ path, realPath, type, sizeBytes, lines, lineCount, hash, ...(unsaved && { unsaved }) })
}

// A script with an archive appended begins as text: what is handed out decides too (B66).
function withoutBinary(found: FileLines): FileLines {
  if (!found.lines.some(line => line.bytes.includes(0))) return found
  const { path, realPath, sizeBytes } = found
  return { path, realPath, sizeBytes, type: { kind: 'binary', what: 'binary data after a start of text' }, lines: [] }
}

function utf8Converter(encoding: TextEncoding): (piece: Buffer) => Buffer {
  if (encoding === 'utf-8' || encoding === '8-bit') return piece => piece
  const decoder = new TextDecoder(encoding)
  return piece => Buffer.from(decoder.decode(piece, { stream: true }))
}
