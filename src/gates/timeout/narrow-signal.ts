export interface NarrowedSignal {
  readonly signal: AbortSignal
  /** Drops the timer and the listener; to be called once the work is over, however it ended. */
  release(): void
}

/** A signal that is aborted as `outer` is, or after `limitMs` with the reason that `toReason` makes. Holds nothing once either has happened. */
export function narrowSignal(outer: AbortSignal, limitMs: number, toReason: () => unknown): NarrowedSignal {
  const controller = new AbortController()
  const release = () => {
    clearTimeout(timer)
    outer.removeEventListener('abort', onAbort)
  }
  const onAbort = () => {
    release()
    controller.abort(outer.reason)
  }
  const timer = setTimeout(() => {
    release()
    controller.abort(toReason())
  }, limitMs)
  outer.addEventListener('abort', onAbort)
  return { signal: controller.signal, release }
}
