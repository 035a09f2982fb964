import { createHash } from 'node:crypto'

const MAX_TOLD = 1000

/** Lines that are told once in this process, to the thread that is first asked to show them. */
export class ToldOnce {
  readonly #told = new Set<string>()

  /** The line as a function for whoever shows it: undefined if the same was told of the same server before. */
  line(identity: string, text: string): () => string | undefined {
    const key = createHash('sha256')
      .update(JSON.stringify([identity, text]))
      .digest('base64')
    return () => {
      if (this.#told.has(key)) return undefined
      if (this.#told.size >= MAX_TOLD) this.#told.clear()
      this.#told.add(key)
      return text
    }
  }
}
