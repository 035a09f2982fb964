/** Length of `text` as UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text)
}

/** `text` with each lone surrogate replaced by U+FFFD, as writing it as UTF-8 would. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}

/** The longest start of `text` within `maxBytes` of UTF-8, cut on a code point. */
export function takeFirstBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return toWellFormed(text)
  let bytes = 0
  let at = 0
  while (at < text.length) {
    const codePoint = text.codePointAt(at)!
    bytes += utf8Length(codePoint)
    if (bytes > maxBytes) break
    at += codePoint > 0xffff ? 2 : 1
  }
  return toWellFormed(text.slice(0, at))
}

/** The longest end of `text` within `maxBytes` of UTF-8, cut on a code point. */
export function takeLastBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return toWellFormed(text)
  let bytes = 0
  let at = text.length
  while (at > 0) {
    const pair = at > 1 ? text.codePointAt(at - 2)! : 0
    const codePoint = pair > 0xffff ? pair : text.charCodeAt(at - 1)
    bytes += utf8Length(codePoint)
    if (bytes > maxBytes) break
    at -= codePoint > 0xffff ? 2 : 1
  }
  return toWellFormed(text.slice(at))
}

/** A size for a reader: `1 byte`, `312 bytes`, `12.3 KiB`, `3.0 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}
