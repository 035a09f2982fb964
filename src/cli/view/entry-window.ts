import type { TranscriptLine } from '../../bridge/index.js'
import type { ViewEntry } from './entry.js'

/** Entries and bytes that may still change; beyond, the oldest are written as they are. */
const MAX_ENTRIES = 3_000
const MAX_HELD_BYTES = 48 * 1024 * 1024

/** The entries that have not been written, in their order, within a bound of memory. */
export class EntryWindow {
  readonly #entries = new Map<ViewEntry, number>()
  readonly #counts = new Map<string, number>()
  #heldBytes = 0

  constructor(private readonly write: (entry: ViewEntry) => Promise<void>) {}

  /** `call-3` for the third call of the page. */
  nextAnchor(type: string): string {
    const count = (this.#counts.get(type) ?? 0) + 1
    this.#counts.set(type, count)
    return `${type}-${count}`
  }

  push(entry: ViewEntry): void {
    this.#entries.set(entry, 0)
  }

  has(entry: ViewEntry): boolean {
    return this.#entries.has(entry)
  }

  /** An entry took a message: counts what it holds now. */
  grow(entry: ViewEntry, item: TranscriptLine): void {
    const before = this.#entries.get(entry)
    if (before === undefined) return
    const held = heldBytes(entry, item, before)
    this.#entries.set(entry, held)
    this.#heldBytes += held - before
  }

  /** Writes the oldest entries until the rest is within the bounds. */
  async shrink(): Promise<void> {
    while (this.#entries.size > MAX_ENTRIES || (this.#heldBytes > MAX_HELD_BYTES && this.#entries.size > 0))
      await this.#writeFirst()
  }

  async flush(): Promise<void> {
    while (this.#entries.size > 0) await this.#writeFirst()
  }

  async #writeFirst(): Promise<void> {
    const [first] = this.#entries
    if (!first) return
    const [entry, held] = first
    this.#entries.delete(entry)
    this.#heldBytes -= held
    await this.write(entry)
  }
}

// An upper bound. A card's fields replace each other, so that it holds as much as its largest messages at most.
function heldBytes({ body, frames }: ViewEntry, item: TranscriptLine, before: number): number {
  const own = 2 * frames.heldChars + 1_000
  switch (body.type) {
    case 'call':
      return own + 3 * frames.largestBytes + 2 * (body.card.terminal?.output.length ?? 0)
    case 'user':
    case 'message':
    case 'thought':
      return body.blocks.length === 0 ? own + 2 * body.text.length : Math.max(before, own) + 2 * frameBytes(item)
    default:
      return own + frames.largestBytes
  }
}

function frameBytes(item: TranscriptLine): number {
  return item.type === 'frame' ? item.bytes : 0
}
