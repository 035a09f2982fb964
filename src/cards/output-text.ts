import { foldTerminal } from './fold-terminal.js'
import { headAndTail, leftOutMarker } from './head-and-tail.js'
import type { CollectedOutput } from './output-collector.js'

/** Bound of the text for the model: what was collected, the marker of what was left out, and the notes. */
const MAX_TEXT_BYTES = 64 * 1024
const NOTES_BYTES = 1024
const MARKER_BYTES = 64
/** How much of an output is worth collecting for {@link toModelText}. */
export const MAX_COLLECTED_BYTES = MAX_TEXT_BYTES - NOTES_BYTES - MARKER_BYTES

/** Control codes that no text has, and U+FFFD, which stands for bytes that are no UTF-8. Single NULs separate words. */
const UNREADABLE = /[\ufffd\x01-\x06\x0e-\x1a\x1c-\x1f]|\0(?=\0)/g
const NO_TEXT = /[\0-\x06\x0e-\x1a\x1c-\x1f\ufffd]/
const BINARY_SHARE = 0.1
const FEW_UNREADABLE = 8
const SHORTEST_READABLE = 6

/** What the model reads of a command: its output as a terminal would show it in the end, then each note on a line. */
export function toModelText(output: CollectedOutput, notes: readonly string[]): string {
  const text = headAndTail(toReadable(output), MAX_TEXT_BYTES - NOTES_BYTES)
  if (notes.length === 0) return text === '' ? '[no output]' : text
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${notes.join('\n')}`
}

function toReadable({ head, tail, leftOutBytes, totalBytes }: CollectedOutput): string {
  if (isBinary(head + tail)) {
    const note = `[binary output: ${totalBytes} bytes that are no UTF-8 text; send it to a file, or through xxd or iconv]`
    return [note, ...findReadable(`${head}\n${tail}`)].join('\n')
  }
  const start = fold(head)
  if (leftOutBytes === 0) return start
  return `${start}${start.endsWith('\n') ? '' : '\n'}${leftOutMarker(leftOutBytes)}\n${fold(tail)}`
}

function fold(text: string): string {
  return foldTerminal(text.replaceAll('\0', '␀'))
}

function isBinary(text: string): boolean {
  const unreadable = text.match(UNREADABLE)?.length ?? 0
  return unreadable > FEW_UNREADABLE && unreadable > text.length * BINARY_SHARE
}

/** What a program said besides, on stderr above all: the ends of lines that are text. */
function findReadable(text: string): string[] {
  return text
    .split('\n')
    .map(line => fold(line.split(NO_TEXT).at(-1) ?? ''))
    .filter(line => line.length >= SHORTEST_READABLE)
}
