const NEWLINE = 0x0a
const NOTHING: Uint8Array = new Uint8Array(0)
/** How far a cut looks for a line break before it takes any character's edge. */
const LINE_SEARCH_BYTES = 4096

/** Length of `bytes` without a character whose last bytes have not come yet: up to 3 less. */
function wholeUtf8Length(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back]!
    if (isContinuation(byte)) continue
    return back < characterLength(byte) ? length - back : length
  }
  return length
}

/** A place within the first `maxBytes` to end at: after a newline if one is near, else between two characters. */
export function cutBefore(bytes: Uint8Array, maxBytes: number): number {
  if (bytes.length <= maxBytes) return bytes.length
  const newline = bytes.subarray(Math.max(0, maxBytes - LINE_SEARCH_BYTES), maxBytes).lastIndexOf(NEWLINE)
  if (newline >= 0) return Math.max(0, maxBytes - LINE_SEARCH_BYTES) + newline + 1
  return wholeUtf8Length(bytes.subarray(0, maxBytes))
}

/** A place at or after `from` to begin at: after a newline if one is near, else between two characters. */
export function cutAfter(bytes: Uint8Array, from: number): number {
  const newline = bytes.subarray(from, from + LINE_SEARCH_BYTES).indexOf(NEWLINE)
  if (newline >= 0 && from + newline + 1 < bytes.length) return from + newline + 1
  let start = from
  while (start < from + 3 && start < bytes.length && isContinuation(bytes[start]!)) start += 1
  return start
}

/** Hands chunks on with a character that is split between two of them held back until it is whole (B29). */
export class Utf8Joiner {
  #rest = NOTHING

  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const length = wholeUtf8Length(bytes)
    // The usual case, by the thousand in a flood.
    if (length === bytes.length) {
      this.#rest = NOTHING
      return bytes
    }
    this.#rest = Uint8Array.from(bytes.subarray(length))
    return bytes.subarray(0, length)
  }

  /** What a decoder makes of a character that never came whole: U+FFFD. Nothing if none is held back. */
  end(): Uint8Array {
    const text = Buffer.from(this.#rest).toString()
    this.#rest = NOTHING
    return Buffer.from(text)
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

function characterLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4
  if (lead >= 0xe0 && lead <= 0xef) return 3
  return lead >= 0xc2 && lead <= 0xdf ? 2 : 1
}
