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

interface Entry<T> {
  readonly waiting: Waiting<T>
  readonly stop: () => void
  resolve(end: Settled<T>): void
  reject(error: unknown): void
  /** Closes the question that is open. */
  withdraw?: () => void
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
    const { signal, order } = waiting
    if (signal.aborted) return Promise.resolve({ type: 'stopped' })
    return new Promise((resolve, reject) => {
      const entry: Entry<T> = { waiting, stop: () => this.#stop(entry), resolve, reject }
      signal.addEventListener('abort', entry.stop, { once: true })
      const later = this.#entries.findIndex(other => other.waiting.order > order)
      this.#entries.splice(later < 0 ? this.#entries.length : later, 0, entry)
      void this.#pump()
    })
  }

  /** Ends every wait, and the question that is open. */
  close(): void {
    for (const entry of [...this.#entries]) this.#stop(entry)
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
        await this.#ask(first)
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
      await Promise.all(open.map(entry => this.#settleBy(entry, entry.waiting.decide())))
    }
  }

  // Whoever asks may be slow to hear the signal: the others do not wait for that.
  #ask(entry: Entry<T>): Promise<void> {
    const open = new AbortController()
    const withdrawn = new Promise<void>(resolve => {
      entry.withdraw = () => {
        open.abort()
        resolve()
      }
    })
    const asked = this.#settleBy(entry, entry.waiting.ask(open.signal))
    return Promise.race([asked, withdrawn]).finally(() => delete entry.withdraw)
  }

  async #settleBy(entry: Entry<T>, work: Promise<T | undefined>): Promise<void> {
    try {
      const value = await work
      if (value !== undefined && this.#leave(entry)) entry.resolve({ type: 'settled', value })
    } catch (error) {
      if (this.#leave(entry)) entry.reject(error)
    }
  }

  #stop(entry: Entry<T>): void {
    if (!this.#leave(entry)) return
    entry.withdraw?.()
    entry.resolve({ type: 'stopped' })
  }

  #leave(entry: Entry<T>): boolean {
    const index = this.#entries.indexOf(entry)
    if (index < 0) return false
    this.#entries.splice(index, 1)
    entry.waiting.signal.removeEventListener('abort', entry.stop)
    return true
  }
}
