import { byteLength, takeFirstBytes, takeLastBytes, toWellFormed } from './text-bytes.js'

/** The words that stand where text was left out, the same for every tool. */
export function leftOutMarker(bytes: number): string {
  return `[${bytes} ${bytes === 1 ? 'byte' : 'bytes'} left out]`
}

/**
 * `text` in at most `maxBytes` of UTF-8: whole if it fits, else its head and its tail around a line `[N bytes left out]`.
 * Cuts at a line's end where one is near, else on a code point.
 */
export function headAndTail(text: string, maxBytes: number): string {
  const total = byteLength(text)
  if (total <= maxBytes) return toWellFormed(text)
  const room = maxBytes - byteLength(leftOutMarker(total)) - 2
  if (room < 0) return takeFirstBytes(leftOutMarker(total), maxBytes)
  const half = Math.ceil(room / 2)
  const head = endAtLine(takeFirstBytes(text, half))
  const tail = startAtLine(takeLastBytes(text, room - half))
  const marker = leftOutMarker(total - byteLength(head) - byteLength(tail))
  return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${marker}\n${tail}`
}

/** A line's end is near if keeping to it costs at most a quarter. */
function endAtLine(head: string): string {
  const end = head.lastIndexOf('\n') + 1
  return end >= head.length * 0.75 ? head.slice(0, end) : head
}

function startAtLine(tail: string): string {
  const start = tail.indexOf('\n') + 1
  return start <= tail.length * 0.25 ? tail.slice(start) : tail
}
