import type { Finding, TranscriptLine } from '../../bridge/index.js'
import { frameText } from './frame-text.js'

/** One line of a transcript as it is shown beside what it led to. */
export interface ShownFrame {
  line: number
  /** `client → agent` and the method, or what a response answers. */
  label: string
  bytes: number
  /** Indented JSON, within a bound. */
  text: string
  findings: Finding[]
}

/** Frames kept of one entry, from its start; further ones only if there is a finding at them. */
const MAX_FRAMES = 24
const MAX_FRAMES_WITH_FINDINGS = 200

/** The frames of one entry of the thread: the first ones and those with findings; the rest is counted. */
export class FrameLog {
  readonly frames: ShownFrame[] = []
  readonly leftOut = { count: 0, bytes: 0 }
  lines: { first: number; last: number } | undefined
  /** Characters of all texts that are kept. */
  heldChars = 0
  largestBytes = 0

  add(item: TranscriptLine, label: string): void {
    const { line, findings } = item
    this.lines = { first: this.lines?.first ?? line, last: line }
    const bytes = item.type === 'frame' ? item.bytes : Buffer.byteLength(item.text ?? '')
    this.largestBytes = Math.max(this.largestBytes, bytes)
    const max = findings.length > 0 ? MAX_FRAMES_WITH_FINDINGS : MAX_FRAMES
    if (this.frames.length >= max) {
      this.leftOut.count++
      this.leftOut.bytes += bytes
      return
    }
    const text = frameText(item)
    this.heldChars += text.length
    this.frames.push({ line, label, bytes, text, findings })
  }

  get count(): number {
    return this.frames.length + this.leftOut.count
  }

  get bytes(): number {
    return this.frames.reduce((sum, frame) => sum + frame.bytes, this.leftOut.bytes)
  }

  findings(): (Finding & { line: number })[] {
    return this.frames.flatMap(({ line, findings }) => findings.map(finding => ({ ...finding, line })))
  }
}
