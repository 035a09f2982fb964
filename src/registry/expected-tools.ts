import { settledWithin } from './contain.js'

/** Tools that sessions are about to get. A session waits for those on their way once, at most `waitMs`. */
export class ExpectedTools {
  readonly #waitMs: number
  readonly #coming = new Map<string, Set<Promise<unknown>>>()
  readonly #waitedFor = new WeakSet<Promise<unknown>>()

  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** `arrived` settles when the tools are there, or will not come soon. Returns its undo. */
  add(sessionId: string, arrived: Promise<unknown>): () => void {
    const coming = this.#coming.get(sessionId) ?? new Set()
    this.#coming.set(sessionId, coming.add(arrived))
    const drop = () => this.#drop(sessionId, arrived)
    arrived.then(drop, drop)
    return drop
  }

  /** False while the session expects some, also if it has waited for them. */
  isComplete(sessionId: string): boolean {
    return !this.#coming.has(sessionId)
  }

  /** Resolves when all that the session expects has arrived, after `waitMs`, or at the signal. Never rejects. */
  async settled(sessionId: string, signal: AbortSignal): Promise<void> {
    const coming = [...(this.#coming.get(sessionId) ?? [])].filter(arrived => !this.#waitedFor.has(arrived))
    if (coming.length === 0 || signal.aborted) return
    let onAbort = () => {}
    const aborted = new Promise<void>(resolve => {
      onAbort = resolve
    })
    signal.addEventListener('abort', onAbort, { once: true })
    await settledWithin(Promise.race([Promise.allSettled(coming), aborted]), this.#waitMs)
    signal.removeEventListener('abort', onAbort)
    if (!signal.aborted) for (const arrived of coming) this.#waitedFor.add(arrived)
  }

  #drop(sessionId: string, arrived: Promise<unknown>): void {
    const coming = this.#coming.get(sessionId)
    coming?.delete(arrived)
    if (coming?.size === 0) this.#coming.delete(sessionId)
  }
}
