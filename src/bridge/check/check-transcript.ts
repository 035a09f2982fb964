import { readBoundedLines } from '../wire/bounded-lines.js'
import type { Finding } from './check-frame.js'
import { MAX_TRANSCRIPT_LINE_BYTES, TranscriptReader } from './read-transcript.js'

/** A finding in a file; lines count from 1. */
export interface LineFinding extends Finding {
  line: number
}

/** Checks a transcript; see {@link TranscriptReader} for its lines. */
export async function* checkTranscript(
  lines: Iterable<string | undefined> | AsyncIterable<string | undefined>,
): AsyncGenerator<LineFinding, void> {
  const reader = new TranscriptReader()
  for await (const text of lines) {
    for (const finding of reader.read(text)?.findings ?? []) yield { ...finding, line: reader.line }
  }
  for (const finding of reader.end()) yield { ...finding, line: reader.line }
}

/** The lines of a transcript's bytes, undefined in the place of one that is too long to be kept. */
export async function* transcriptLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined, void> {
  for await (const line of readBoundedLines(input, MAX_TRANSCRIPT_LINE_BYTES)) {
    yield line === undefined ? undefined : Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8')
  }
}
