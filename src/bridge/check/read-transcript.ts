import { cutText } from '../../cards/index.js'
import { type Finding, isFields, type WireFrame } from './check-frame.js'
import { WireChecker } from './checker.js'

/** Longest line of a transcript that is read; what no client would read either need not be shown. */
export const MAX_TRANSCRIPT_LINE_BYTES = 32 * 1024 * 1024

/** Far below what a recursive reader can take, and far above what a message has. */
const MAX_LEVELS = 500
const MAX_FINDING_CHARS = 500

/** One line of a transcript and what the checker says of it; lines count from 1. */
export type TranscriptLine = TranscriptFrame | TranscriptFault

export interface TranscriptFrame extends WireFrame {
  type: 'frame'
  line: number
  bytes: number
  findings: Finding[]
}

/** A line that is no message, since it is no JSON or nested too deeply: its text, or nothing of one that is longer than is read. */
export interface TranscriptFault {
  type: 'broken'
  line: number
  text?: string
  findings: Finding[]
}

/**
 * Reads a transcript line by line, each one JSON object: `{dir: 'in' | 'out', msg}` or a bare message, whose direction is
 * inferred.
 */
export class TranscriptReader {
  readonly #checker = new WireChecker()
  #line = 0

  get line(): number {
    return this.#line
  }

  /** The next line, undefined for one that was too long to be kept; a blank line gives nothing. */
  read(text: string | undefined): TranscriptLine | undefined {
    const line = ++this.#line
    if (text === undefined) {
      const found = { rule: 12, text: `a line of more than ${MAX_TRANSCRIPT_LINE_BYTES} bytes` }
      return { type: 'broken', line, findings: [found] }
    }
    // Without a byte order mark, too.
    const json = text.trim()
    if (json === '') return undefined
    let value: unknown
    try {
      value = JSON.parse(json)
    } catch {
      return { type: 'broken', line, text, findings: [{ rule: 13, text: 'not JSON' }] }
    }
    if (isDeeper(value, MAX_LEVELS)) {
      return { type: 'broken', line, text, findings: [{ rule: 13, text: `nested deeper than ${MAX_LEVELS} levels` }] }
    }
    if (isFields(value) && (value.dir === 'in' || value.dir === 'out')) {
      const bytes = Buffer.byteLength(JSON.stringify(value.msg) ?? '')
      return this.#checked({ dir: value.dir, msg: value.msg }, bytes)
    }
    return this.#checked({ dir: this.#checker.directionOf(value) ?? 'out', msg: value }, Buffer.byteLength(json))
  }

  /** A frame that never was a line of text, counted as one. */
  readFrame(frame: WireFrame): TranscriptFrame {
    this.#line++
    return this.#checked(frame, Buffer.byteLength(JSON.stringify(frame.msg)))
  }

  #checked(frame: WireFrame, bytes: number): TranscriptFrame {
    return { type: 'frame', line: this.#line, bytes, ...frame, findings: this.#checker.check(frame).map(toShown) }
  }

  /** What the end leaves open. */
  end(): Finding[] {
    return this.#checker.end().map(toShown)
  }
}

/** A finding quotes what it is about, which may be of any length. */
function toShown(finding: Finding): Finding {
  return { ...finding, text: cutText(finding.text, MAX_FINDING_CHARS) }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1))
}
