/** How a wait in the queue ends. */
export type Settled<T> = { readonly type: 'settled'; readonly value: T } | { readonly type: 'stopped' }

/** One call that needs an answer. */
export interface Waiting<T> {
  /** Decides as things stand now; undefined: it still needs to ask. */
  decide(): Promise<T | undefined>
  /** Asks the user, and makes the answer count. Undefined: it has to be decided again. Settles on the signal. */
  ask(signal: AbortSignal): Promise<T | undefined>
  readonly signal: AbortSignal
  /** Place in the queue: smaller ones are asked first. */
  readonly order: number
}

interface Entry<T> extends Waiting<T> {
  readonly stop: AbortController
  settle(end: Settled<T>): void
  reject(error: unknown): void
}

/**
 * The questions of one session: one at a time, in their order. After each answer all that wait are decided again, and
 * those that need no question any more go on at once (J2).
 */
export class AskQueue<T> {
  #entries: Entry<T>[] = []
  #running = false
  #asked = 0

  /** What a decision of now is no older than: it stays the same while nobody is asked and nothing waits. */
  get moment(): number | undefined {
    return this.#running ? undefined : this.#asked
  }

  /** Waits until the call is decided or its signal fires. Rejects with what `decide` and `ask` throw. */
  run(waiting: Waiting<T>): Promise<Settled<T>> {
    const { signal } = waiting
    if (signal.aborted) return Promise.resolve({ type: 'stopped' })
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#leave(entry, () => resolve({ type: 'stopped' }))
      const entry: Entry<T> = {
        decide: () => waiting.decide(),
        ask: inner => waiting.ask(inner),
        signal,
        order: waiting.order,
        stop: new AbortController(),
        settle: end => this.#leave(entry, () => resolve(end)),
        reject: error => this.#leave(entry, () => reject(error)),
      }
      entry.stop.signal.addEventListener('abort', () => signal.removeEventListener('abort', onAbort), { once: true })
      signal.addEventListener('abort', onAbort, { once: true })
      const later = this.#entries.findIndex(({ order }) => order > entry.order)
      this.#entries.splice(later < 0 ? this.#entries.length : later, 0, entry)
      void this.#pump()
    })
  }

  /** Ends every wait, and the question that is open. */
  close(): void {
    for (const entry of [...this.#entries]) entry.settle({ type: 'stopped' })
  }

  get size(): number {
    return this.#entries.length
  }

  async #pump(): Promise<void> {
    if (this.#running) return
    this.#running = true
    try {
      for (;;) {
        await this.#decideAll()
        const [first] = this.#entries
        if (!first) return
        this.#asked += 1
        // Whoever asks may be slow to hear the signal: the others do not wait for that.
        await Promise.race([settleBy(first, () => first.ask(first.stop.signal)), stopped(first.stop.signal)])
      }
    } finally {
      this.#running = false
    }
  }

  // One that came while the others were being decided has been decided too: its decision is no older than the last answer.
  async #decideAll(): Promise<void> {
    const decided = new Set<Entry<T>>()
    for (;;) {
      const open = this.#entries.filter(entry => !decided.has(entry))
      if (open.length === 0) return
      for (const entry of open) decided.add(entry)
      await Promise.all(open.map(entry => settleBy(entry, () => entry.decide())))
    }
  }

  #leave(entry: Entry<T>, settle: () => void): void {
    const index = this.#entries.indexOf(entry)
    if (index < 0) return
    this.#entries.splice(index, 1)
    // Also closes the dialog of a question that is open.
    entry.stop.abort()
    settle()
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}

async function settleBy<T>(entry: Entry<T>, work: () => Promise<T | undefined>): Promise<void> {
  try {
    const value = await work()
    if (value !== undefined) entry.settle({ type: 'settled', value })
  } catch (error) {
    entry.reject(error)
  }
}
