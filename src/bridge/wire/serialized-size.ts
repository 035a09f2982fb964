/** Bytes of a value as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value) ?? '')
}

/** Bytes of a string inside a JSON document, quotes not counted: an ESC is six. */
export function serializedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

/** How full of unescaped text a piece is to be, so that most are measured once and fit. */
const USUAL_FILL = 0.95

/** Cuts text into pieces of at most `limitBytes` as serialized, on code points. Joined they are the text; '' gives none. */
export function splitSerialized(text: string, limitBytes: number): string[] {
  const count = Math.ceil(Buffer.byteLength(text) / (limitBytes * USUAL_FILL))
  return splitEvenly(text, count).flatMap(piece => halveUntilFit(piece, limitBytes))
}

function halveUntilFit(text: string, limitBytes: number): string[] {
  if (text.length * 6 <= limitBytes || serializedBytes(text) <= limitBytes) return [text]
  const halves = splitEvenly(text, 2)
  // A single code point cannot be cut.
  return halves.length < 2 ? halves : halves.flatMap(half => halveUntilFit(half, limitBytes))
}

/** At most `count` pieces of about the same length, none empty. */
function splitEvenly(text: string, count: number): string[] {
  const pieces: string[] = []
  for (let n = 1, start = 0; n <= count; n++) {
    const mayCut = Math.floor((text.length * n) / count)
    const end = mayCut + (isPairAt(text, mayCut - 1) ? 1 : 0)
    if (end > start) pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** The longest head of `text`, on a code point, that is at most `limitBytes` as serialized. */
export function headSerialized(text: string, limitBytes: number): string {
  if (text.length * 6 <= limitBytes) return text
  return text.slice(0, scan(text, limitBytes))
}

/** The longest tail of `text`, on a code point, that is at most `limitBytes` as serialized. */
export function tailSerialized(text: string, limitBytes: number): string {
  if (text.length * 6 <= limitBytes) return text
  let start = text.length
  let bytes = 0
  while (start > 0) {
    const low = text.charCodeAt(start - 1)
    const isPair = isLowSurrogate(low) && start > 1 && isHighSurrogate(text.charCodeAt(start - 2))
    bytes += isPair ? 4 : unitBytes(low)
    if (bytes > limitBytes) break
    start -= isPair ? 2 : 1
  }
  return text.slice(start)
}

/** Measured at once: the engine takes a block of text in a small part of the time of a loop over it. */
const BLOCK_LENGTH = 4096

function scan(text: string, limitBytes: number): number {
  let bytes = 0
  let end = 0
  while (end < text.length) {
    const mayCut = Math.min(end + BLOCK_LENGTH, text.length)
    const next = mayCut + (isPairAt(text, mayCut - 1) ? 1 : 0)
    const blockBytes = serializedBytes(text.slice(end, next))
    if (bytes + blockBytes > limitBytes) break
    bytes += blockBytes
    end = next
  }
  while (end < text.length) {
    const isPair = isPairAt(text, end)
    bytes += isPair ? 4 : unitBytes(text.charCodeAt(end))
    if (bytes > limitBytes) break
    end += isPair ? 2 : 1
  }
  return end
}

function unitBytes(unit: number): number {
  if (unit < 0x20) return unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 2 : 6
  if (unit === 0x22 || unit === 0x5c) return 2
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  return unit >= 0xd800 && unit <= 0xdfff ? 6 : 3
}

function isPairAt(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
