import { isUtf8 } from 'node:buffer'
import { Utf8Joiner } from '../cards/index.js'

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | '8-bit'

/** What the bytes of a file are. `bomBytes` is the length of the byte order mark, 0 without one. */
export type FileType =
  | { kind: 'text'; encoding: TextEncoding; bomBytes: number }
  | { kind: 'image'; mimeType: string }
  /** `what` completes "it is …": `a PDF document`. */
  | { kind: 'binary'; what: string }

/** How many bytes from the start decide the type. */
export const SNIFF_BYTES = 8192

const signatures: [latin1: string, what: string][] = [
  ['%PDF-', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive or a document of that form'],
  ['\x1f\x8b', 'gzip data'],
  ['BZh', 'bzip2 data'],
  ['\xfd7zXZ', 'xz data'],
  ['7z\xbc\xaf', 'a 7z archive'],
  ['\x28\xb5\x2f\xfd', 'zstd data'],
  ['\x7fELF', 'a program (ELF)'],
  ['SQLite format 3', 'an SQLite database'],
]

const IMAGE_STARTS = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'RIFF']
const UTF_16LE_MARK = '\xff\xfe'
const UTF_16BE_MARK = '\xfe\xff'

/**
 * How files begin that are not searched byte by byte as they are, as latin1. A file that begins otherwise and holds no byte
 * of CONTROL_BYTES is text in UTF-8, or in an unknown 8-bit encoding.
 */
export const FILE_MARKS: readonly string[] = [
  ...signatures.map(([signature]) => signature),
  ...IMAGE_STARTS,
  UTF_16LE_MARK,
  UTF_16BE_MARK,
]

/** The bytes that text files do not hold, or few of: all but tab, newline, form feed, carriage return, backspace and escape. */
export const CONTROL_BYTES: readonly number[] = Array.from({ length: 0x20 }, (_, byte) => byte).filter(
  byte => byte < 0x08 || byte === 0x0b || (byte > 0x0d && byte !== 0x1b),
)

/** As much of a file's start as any of its types is told by, but for an image's sizes. */
const START_BYTES = 15
const firstBytes = new Set(FILE_MARKS.map(mark => mark.charCodeAt(0)))
const controls = new Uint8Array(256)
for (const byte of CONTROL_BYTES) controls[byte] = 1

/** The type by content, never by name: of the head of a file, or of any part of one. `whole`: nothing follows these bytes. */
export function toFileType(head: Buffer, whole: boolean): FileType {
  const marked = firstBytes.has(head[0] ?? 0) ? typeOfMark(head, head.toString('latin1', 0, START_BYTES)) : undefined
  if (marked !== undefined) return marked
  const controlCount = countControls(head)
  if (controlCount > 0 && head.includes(0)) return { kind: 'binary', what: 'binary data' }
  const utf8 = isUtf8(whole ? head : new Utf8Joiner().push(head))
  if (controlCount > head.length * (utf8 ? 0.1 : 0.02)) return { kind: 'binary', what: 'binary data' }
  if (!utf8) return { kind: 'text', encoding: '8-bit', bomBytes: 0 }
  const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
  return { kind: 'text', encoding: 'utf-8', bomBytes: hasMark ? 3 : 0 }
}

function typeOfMark(head: Buffer, start: string): FileType | undefined {
  const mimeType = imageType(head, start)
  if (mimeType !== undefined) return { kind: 'image', mimeType }
  if (start.startsWith(UTF_16LE_MARK)) return { kind: 'text', encoding: 'utf-16le', bomBytes: 2 }
  if (start.startsWith(UTF_16BE_MARK)) return { kind: 'text', encoding: 'utf-16be', bomBytes: 2 }
  const known = signatures.find(([signature]) => start.startsWith(signature))
  return known === undefined ? undefined : { kind: 'binary', what: known[1] }
}

/** The text without its byte order mark; bytes that are not of the encoding become U+FFFD. */
export function decodeText(bytes: Buffer, type: FileType & { kind: 'text' }): string {
  if (type.encoding === '8-bit') return bytes.toString('utf8')
  if (type.encoding === 'utf-8') return bytes.toString('utf8', type.bomBytes)
  return new TextDecoder(type.encoding).decode(bytes)
}

// A signature followed by nothing an image needs is refused: a provider answers such an image with an error for the whole turn (B66).
function imageType(head: Buffer, start: string): string | undefined {
  if (start.startsWith('\x89PNG\r\n\x1a\n')) {
    const sized = head.length >= 24 && head.readUInt32BE(16) > 0 && head.readUInt32BE(20) > 0
    return sized && head.toString('latin1', 12, 16) === 'IHDR' ? 'image/png' : undefined
  }
  if (start.startsWith('\xff\xd8\xff')) return head.length > 20 && head[3]! >= 0xc0 ? 'image/jpeg' : undefined
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) {
    const sized = head.length > 13 && head.readUInt16LE(6) > 0 && head.readUInt16LE(8) > 0
    return sized ? 'image/gif' : undefined
  }
  if (start.startsWith('RIFF') && start.slice(8, 15) === 'WEBPVP8') return 'image/webp'
  return undefined
}

// Four bytes at a time: most hold no byte below 0x20, whose bits 0x60 are all clear.
function countControls(bytes: Buffer): number {
  let count = 0
  let index = 0
  if (bytes.byteOffset % 4 === 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
    for (let word = 0; word < words.length; word++) {
      const bits = words[word]! & 0x60606060
      if (((bits - 0x20202020) & ~bits & 0x80808080) === 0) continue
      for (let at = word * 4; at < word * 4 + 4; at++) count += controls[bytes[at]!]!
    }
    index = words.length * 4
  }
  for (; index < bytes.length; index++) count += controls[bytes[index]!]!
  return count
}
