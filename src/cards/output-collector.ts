import { ByteTail } from './byte-tail.js'
import { cutAfter, cutBefore } from './utf8-bytes.js'

const NEWLINE = 0x0a

/** What was kept of the output of a process. */
export interface CollectedOutput {
  /** All of the output, or its start if bytes were left out. */
  head: string
  /** Its end if bytes were left out, else empty. */
  tail: string
  leftOutBytes: number
  totalBytes: number
  /** False if the output ends inside a line. */
  endsLine: boolean
}

/** Keeps the head and the tail of what is written, half of `maxBytes` each, and counts the rest (B33). */
export interface OutputCollector {
  /** Chunks must be cut between characters. */
  write(bytes: Uint8Array): void
  read(): CollectedOutput
}

/** A collector in memory of about `maxBytes`. */
export function createOutputCollector({ maxBytes }: { maxBytes: number }): OutputCollector {
  const head = Buffer.allocUnsafe(Math.floor(maxBytes / 2))
  const tail = new ByteTail(maxBytes - head.length)
  let headBytes = 0
  let endsLine = true
  return {
    write(bytes) {
      if (bytes.length === 0) return
      const taken = Math.min(bytes.length, head.length - headBytes)
      if (taken > 0) head.set(bytes.subarray(0, taken), headBytes)
      headBytes += taken
      if (taken < bytes.length) tail.push(taken === 0 ? bytes : bytes.subarray(taken))
      endsLine = bytes[bytes.length - 1] === NEWLINE
    },
    read() {
      const start = head.subarray(0, headBytes)
      const end = tail.read()
      const totalBytes = headBytes + tail.totalBytes
      if (end.length === tail.totalBytes) {
        const whole = Buffer.concat([start, end]).toString('utf8')
        return { head: whole, tail: '', leftOutBytes: 0, totalBytes, endsLine }
      }
      const headEnd = cutBefore(start, Math.max(0, start.length - 1))
      const tailStart = cutAfter(end, 0)
      return {
        head: start.subarray(0, headEnd).toString('utf8'),
        tail: end.subarray(tailStart).toString('utf8'),
        leftOutBytes: totalBytes - headEnd - (end.length - tailStart),
        totalBytes,
        endsLine,
      }
    },
  }
}
