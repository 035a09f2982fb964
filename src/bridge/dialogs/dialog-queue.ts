/** One dialog at a time for each session, whatever asks: a client shows no more. */
export class DialogQueue {
  /** The last dialog of each session that has one. */
  readonly #lines = new Map<string, Promise<unknown>>()

  /** `work` once the dialogs before it are over; undefined, and no dialog, if the signal fires first. */
  async run<T>(sessionId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    const before = this.#lines.get(sessionId)
    const answer = before === undefined ? work() : afterwards(before, signal, work)
    // A question whose wait is over gives its place to nobody while the one before it is still open.
    const settled = Promise.allSettled([before, answer])
    this.#lines.set(sessionId, settled)
    void settled.then(() => {
      if (this.#lines.get(sessionId) === settled) this.#lines.delete(sessionId)
    })
    return answer
  }
}

async function afterwards<T>(
  before: Promise<unknown>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  let onAbort = () => {}
  const aborted = new Promise<void>(resolve => {
    onAbort = resolve
  })
  signal.addEventListener('abort', onAbort, { once: true })
  if (!signal.aborted) await Promise.race([before, aborted])
  signal.removeEventListener('abort', onAbort)
  return signal.aborted ? undefined : work()
}
