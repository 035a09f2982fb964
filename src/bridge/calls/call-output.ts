import { leftOutMarker, takeFirstBytes, takeLastBytes } from '../../cards/index.js'
import { MAX_OUTPUT_BYTES, OUTPUT_TAIL_BYTES } from '../wire/wire-limits.js'

/**
 * What a call streamed, bounded: the text from its start, then, past a limit, only a count and the text at its end. The
 * same whatever pieces it came in.
 */
export interface CallOutput {
  readonly text: string
  readonly textBytes: number
  /** All that came after `text`, and as much of its end as is kept. */
  readonly restBytes: number
  readonly rest: string
}

export const NO_OUTPUT: CallOutput = { text: '', textBytes: 0, restBytes: 0, rest: '' }

export interface AppendedOutput {
  output: CallOutput
  /** The part of the piece that belongs to `text`: what may be shown at once. */
  shown: string
}

/** Appends one decoded piece. */
export function appendOutput(output: CallOutput, piece: string): AppendedOutput {
  const bytes = Buffer.byteLength(piece)
  const isFull = output.restBytes > 0
  if (!isFull && output.textBytes + bytes <= MAX_OUTPUT_BYTES) {
    return { output: { ...output, text: output.text + piece, textBytes: output.textBytes + bytes }, shown: piece }
  }
  const shown = isFull ? '' : takeFirstBytes(piece, MAX_OUTPUT_BYTES - output.textBytes)
  const shownBytes = Buffer.byteLength(shown)
  const rest = output.rest + piece.slice(shown.length)
  return {
    output: {
      text: output.text + shown,
      textBytes: output.textBytes + shownBytes,
      restBytes: output.restBytes + bytes - shownBytes,
      // Characters and not bytes are counted here: the exact cut is made once, at the end.
      rest: rest.length > 2 * OUTPUT_TAIL_BYTES ? rest.slice(-OUTPUT_TAIL_BYTES) : rest,
    },
    shown,
  }
}

/** What follows `text` once the call has ended: the marker with the count of bytes left out, and the tail. */
export function toOutputTail(output: CallOutput): string {
  if (output.restBytes === 0) return ''
  const tail = takeLastBytes(output.rest, OUTPUT_TAIL_BYTES)
  const left = output.restBytes - Buffer.byteLength(tail)
  const marker = `${output.text.endsWith('\n') ? '' : '\n'}${leftOutMarker(left)}\n`
  return left > 0 ? marker + tail : tail
}
