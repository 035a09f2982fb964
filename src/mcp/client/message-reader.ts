import { StringDecoder } from 'node:string_decoder'
import { inSlices } from './in-slices.js'

/** A longer line is no message that anybody could use. */
const MAX_LINE_CHARS = 32 * 1024 * 1024
/** So many of them are a step. */
const EMPTY_LINES = 1024

interface MessageReaderOptions {
  onMessage(message: object): void
  /** A line that is no message: the server prints on its stdout. */
  onNoise(line: string): void
  /** A line over the limit; nothing is read after it. */
  onTooLong(): void
}

/** The messages in a server's stdout, one a line; what is none is noise and does no harm. */
export class MessageReader {
  readonly #options: MessageReaderOptions
  readonly #decoder = new StringDecoder('utf8')
  #pieces: string[] = []
  #chars = 0
  #isOver = false

  constructor(options: MessageReaderOptions) {
    this.#options = options
  }

  /** A promise if other work gets its turn between the messages: no other chunk may come before it settles. */
  push(chunk: Uint8Array): Promise<void> | undefined {
    return inSlices(this.#read(this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))))
  }

  *#read(text: string): Generator<void> {
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1 && !this.#isOver; end = text.indexOf('\n', start)) {
      this.#take(text.slice(start, end))
      start = end + 1
      if (this.#chars > 0) yield* this.#endLine()
      else if (start % EMPTY_LINES === 0) yield
    }
    if (!this.#isOver) this.#take(text.slice(start))
  }

  #take(text: string): void {
    if (text === '') return
    this.#chars += text.length
    if (this.#chars <= MAX_LINE_CHARS) {
      this.#pieces.push(text)
      return
    }
    this.#isOver = true
    this.#pieces = []
    this.#options.onTooLong()
  }

  *#endLine(): Generator<void> {
    const line = this.#pieces.join('').trim()
    this.#pieces = []
    this.#chars = 0
    if (this.#isOver) return
    for (const message of line === '' ? [] : toMessages(line)) {
      if (message === undefined) this.#options.onNoise(line)
      else this.#options.onMessage(message)
      yield
    }
    yield
  }
}

/** More than one in a batch, which older servers send. */
function toMessages(line: string): (object | undefined)[] {
  if (!line.startsWith('{') && !line.startsWith('[')) return [undefined]
  try {
    const value: unknown = JSON.parse(line)
    return (Array.isArray(value) ? value : [value]).map(item => (isMessage(item) ? item : undefined))
  } catch {
    return [undefined]
  }
}

function isMessage(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
}
