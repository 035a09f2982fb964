import { isUtf8 } from 'node:buffer'
import { ByteTail, cutAfter, cutBefore, leftOutMarker, Utf8Joiner } from '../cards/index.js'

const MAX_BYTES = 1024 * 1024
const INTERVAL_MS = 50
/** Also small enough as JSON, where an escape character takes six. */
const PIECE_BYTES = 64 * 1024
const NEWLINE = 0x0a
/** An invalid byte becomes U+FFFD, which has three. */
const WORST_GROWTH = 3

export interface OutputStreamOptions {
  /** Gets text in order, each piece at most 64 KiB of UTF-8. Must not throw. */
  emit(text: string): void
  /** Bound of all emitted text together, its marker not counted. */
  maxBytes?: number
  /** Shortest time between two emits that no full piece forces. */
  intervalMs?: number
}

export interface OutputStream {
  /** Bytes of one stream may be split anywhere; those of several streams must come cut between characters. */
  write(output: Uint8Array | string): void
  /** Emits what is held back. Writes after it are dropped. */
  end(): void
}

/**
 * Turns a tool's output into few pieces of text: the first at once, the others gathered. Past three quarters of `maxBytes`
 * nothing is emitted until the end, which brings a line with the count of bytes left out, and the tail.
 */
export function createOutputStream(options: OutputStreamOptions): OutputStream {
  return new BoundedOutput(options)
}

class BoundedOutput implements OutputStream {
  readonly #emit: (text: string) => void
  readonly #intervalMs: number
  readonly #joiner = new Utf8Joiner()
  readonly #tail: ByteTail
  #headBytesLeft: number
  #highSurrogate = ''
  #pending = ''
  #pendingBytes = 0
  #endsLine = true
  #timer: NodeJS.Timeout | undefined
  #ended = false

  constructor({ emit, maxBytes = MAX_BYTES, intervalMs = INTERVAL_MS }: OutputStreamOptions) {
    this.#emit = emit
    this.#intervalMs = intervalMs
    this.#tail = new ByteTail(Math.floor(maxBytes / 4))
    this.#headBytesLeft = maxBytes - this.#tail.maxBytes
  }

  write(output: Uint8Array | string): void {
    if (this.#ended) return
    this.#accept(typeof output === 'string' ? this.#encode(output) : this.#joiner.push(output))
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#accept(this.#joiner.end())
    this.#accept(Buffer.from(this.#highSurrogate))
    this.#addTail()
    this.#flush()
    clearTimeout(this.#timer)
  }

  #accept(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const taken = this.#takeHead(bytes)
    if (taken < bytes.length) this.#tail.push(taken === 0 ? bytes : bytes.subarray(taken))
  }

  /** Queues as much as the head has room for; the first chunk that does not fit closes it. */
  #takeHead(bytes: Uint8Array): number {
    if (this.#headBytesLeft === 0) return 0
    const fits = bytes.length <= this.#headBytesLeft / WORST_GROWTH
    const growth = fits || isUtf8(bytes) ? 1 : WORST_GROWTH
    const taken = cutBefore(bytes, Math.floor(this.#headBytesLeft / growth))
    const queuedBytes = this.#queue(bytes.subarray(0, taken))
    this.#headBytesLeft = taken < bytes.length ? 0 : this.#headBytesLeft - queuedBytes
    return taken
  }

  #addTail(): void {
    const kept = this.#tail.read()
    const { maxBytes, totalBytes } = this.#tail
    let start = totalBytes > kept.length ? cutAfter(kept, 0) : 0
    const safeStart = kept.length - Math.floor(maxBytes / WORST_GROWTH)
    if (safeStart > start && !isUtf8(kept.subarray(start))) start = cutAfter(kept, safeStart)
    const leftOutBytes = totalBytes - (kept.length - start)
    if (leftOutBytes > 0) {
      this.#queue(Buffer.from(`${this.#endsLine ? '' : '\n'}${leftOutMarker(leftOutBytes)}\n`))
    }
    this.#queue(kept.subarray(start))
  }

  /** Decodes and holds for the next emit; returns the size of the text. */
  #queue(bytes: Uint8Array): number {
    if (bytes.length === 0) return 0
    // With U+FFFD in place of what is invalid.
    const valid = isUtf8(bytes) ? bytes : Buffer.from(decode(bytes))
    for (let start = 0; start < valid.length; ) {
      const rest = valid.subarray(start)
      const piece = rest.subarray(0, cutBefore(rest, PIECE_BYTES))
      if (this.#pendingBytes + piece.length > PIECE_BYTES) this.#flush()
      this.#pending += decode(piece)
      this.#pendingBytes += piece.length
      start += piece.length
    }
    this.#endsLine = valid[valid.length - 1] === NEWLINE
    if (this.#timer === undefined && !this.#ended) this.#flushAndWait()
    return valid.length
  }

  #flushAndWait(): void {
    this.#flush()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#pending !== '') this.#flushAndWait()
    }, this.#intervalMs).unref()
  }

  #flush(): void {
    if (this.#pending === '') return
    const text = this.#pending
    this.#pending = ''
    this.#pendingBytes = 0
    this.#emit(text)
  }

  /** A pair of surrogates may be split between two strings like a character between two chunks. */
  #encode(output: string): Buffer {
    const text = this.#highSurrogate + output
    const last = text.charCodeAt(text.length - 1)
    this.#highSurrogate = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
    return Buffer.from(text.slice(0, text.length - this.#highSurrogate.length))
  }
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
}
