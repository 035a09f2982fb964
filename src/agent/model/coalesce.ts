import type { ModelPart } from './provider/index.js'

const FRAME_MS = 1000 / 60
/** The model is read no further while this much waits for a client that is slow. */
const MAX_WAITING_PARTS = 64
const MAX_WAITING_CHARS = 64 * 1024

type Delta = Extract<ModelPart, { type: 'text' | 'thought' | 'call-delta' }>

/**
 * The same parts in the same order, with neighbouring deltas of one block joined: the first comes at once, then at most one
 * in each sixtieth of a second. Throws what `parts` throws, after what came before it.
 */
export async function* coalesce(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart, void, undefined> {
  const waiting = new WaitingParts()
  const reading = waiting.readFrom(parts[Symbol.asyncIterator]())
  let shownAt = Number.NEGATIVE_INFINITY
  try {
    for (;;) {
      await waiting.some()
      const waitMs = shownAt + FRAME_MS - performance.now()
      if (waitMs > 0 && waiting.mayGrow()) await waiting.grown(waitMs)
      const part = waiting.take()
      if (part === undefined) break
      if (isShown(part)) shownAt = performance.now()
      yield part
    }
    await reading
  } finally {
    waiting.close()
  }
}

/** Parts that were read and not yet handed on. */
class WaitingParts {
  #parts: ModelPart[] = []
  #chars = 0
  #isOver = false
  #error: { cause: unknown } | undefined
  #onChange: () => void = () => {}

  /** Reads until the end, or until it is closed. Never rejects before what was read has been taken. */
  async readFrom(iterator: AsyncIterator<ModelPart>): Promise<void> {
    try {
      while (!this.#isOver) {
        if (this.#isFull()) await this.#change()
        else {
          const { done, value } = await iterator.next()
          if (done) break
          this.#add(value)
        }
      }
    } catch (cause) {
      this.#error = { cause }
    } finally {
      this.#isOver = true
      this.#changed()
      // Ends the request, if it is not over.
      await iterator.return?.().catch(() => {})
    }
  }

  /** Resolves when there is a part or the end. */
  async some(): Promise<void> {
    while (this.#parts.length === 0 && !this.#isOver) await this.#change()
  }

  /** One delta and nothing behind it: the next may join. */
  mayGrow(): boolean {
    const [first] = this.#parts
    return !this.#isOver && this.#parts.length === 1 && first !== undefined && isShown(first)
  }

  /** Resolves after this time, or as soon as the delta is complete. */
  async grown(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    let isDue = false
    const due = new Promise<void>(resolve => {
      timer = setTimeout(() => {
        isDue = true
        resolve()
      }, ms)
    })
    while (this.mayGrow() && !isDue) await Promise.race([due, this.#change()])
    clearTimeout(timer)
  }

  /** The first part; undefined at the end. Throws what the reading threw, once all else has been taken. */
  take(): ModelPart | undefined {
    const part = this.#parts.shift()
    if (part !== undefined) {
      this.#chars -= isDelta(part) ? part.text.length : 0
      this.#changed()
    } else if (this.#error) throw this.#error.cause
    return part
  }

  close(): void {
    this.#isOver = true
    this.#changed()
  }

  #add(part: ModelPart): void {
    if (isDelta(part)) this.#chars += part.text.length
    const last = this.#parts.at(-1)
    if (last && isDelta(part) && isDelta(last) && last.type === part.type && last.id === part.id) {
      this.#parts[this.#parts.length - 1] = { ...last, text: last.text + part.text }
    } else this.#parts.push(part)
    this.#changed()
  }

  #isFull(): boolean {
    return this.#parts.length >= MAX_WAITING_PARTS || this.#chars > MAX_WAITING_CHARS
  }

  #changed(): void {
    const tell = this.#onChange
    this.#onChange = () => {}
    tell()
  }

  #change(): Promise<void> {
    const before = this.#onChange
    return new Promise(resolve => {
      this.#onChange = () => {
        before()
        resolve()
      }
    })
  }
}

function isDelta(part: ModelPart): part is Delta {
  return part.type === 'text' || part.type === 'thought' || part.type === 'call-delta'
}

function isShown(part: ModelPart): boolean {
  return part.type === 'text' || part.type === 'thought'
}
