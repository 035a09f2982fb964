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

/** The type by content, never by name: of the head of a file, or of any part of one. `whole`: nothing follows these bytes. */
export function toFileType(head: Buffer, whole: boolean): FileType {
  const mimeType = imageType(head)
  if (mimeType !== undefined) return { kind: 'image', mimeType }
  if (startsWith(head, '\xff\xfe')) return { kind: 'text', encoding: 'utf-16le', bomBytes: 2 }
  if (startsWith(head, '\xfe\xff')) return { kind: 'text', encoding: 'utf-16be', bomBytes: 2 }
  const known = signatures.find(([signature]) => startsWith(head, signature))
  if (known !== undefined) return { kind: 'binary', what: known[1] }
  if (head.includes(0)) return { kind: 'binary', what: 'binary data' }
  const utf8 = isUtf8(whole ? head : new Utf8Joiner().push(head))
  if (controlCount(head) > head.length * (utf8 ? 0.1 : 0.02)) return { kind: 'binary', what: 'binary data' }
  if (!utf8) return { kind: 'text', encoding: '8-bit', bomBytes: 0 }
  return { kind: 'text', encoding: 'utf-8', bomBytes: startsWith(head, '\xef\xbb\xbf') ? 3 : 0 }
}

/** The text without its byte order mark; bytes that are not of the encoding become U+FFFD. */
export function decodeText(bytes: Buffer, type: FileType & { kind: 'text' }): string {
  if (type.encoding === '8-bit') return bytes.toString('utf8')
  if (type.encoding === 'utf-8') return bytes.toString('utf8', type.bomBytes)
  return new TextDecoder(type.encoding).decode(bytes)
}

// A signature followed by nothing an image needs is refused: a provider answers such an image with an error for the whole turn (B66).
function imageType(head: Buffer): string | undefined {
  if (startsWith(head, '\x89PNG\r\n\x1a\n')) {
    const sized = head.length >= 24 && head.readUInt32BE(16) > 0 && head.readUInt32BE(20) > 0
    return sized && head.toString('latin1', 12, 16) === 'IHDR' ? 'image/png' : undefined
  }
  if (startsWith(head, '\xff\xd8\xff')) return head.length > 20 && head[3]! >= 0xc0 ? 'image/jpeg' : undefined
  if (startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')) {
    const sized = head.length > 13 && head.readUInt16LE(6) > 0 && head.readUInt16LE(8) > 0
    return sized ? 'image/gif' : undefined
  }
  if (startsWith(head, 'RIFF') && head.toString('latin1', 8, 15) === 'WEBPVP8') return 'image/webp'
  return undefined
}

function startsWith(bytes: Buffer, latin1: string): boolean {
  return bytes.length >= latin1.length && bytes.toString('latin1', 0, latin1.length) === latin1
}

// Tab, newline, form feed, carriage return, backspace and escape are what text files hold.
function controlCount(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) {
    if (byte < 0x20 && (byte < 0x08 || byte === 0x0b || byte > 0x0d) && byte !== 0x1b) count += 1
  }
  return count
}
