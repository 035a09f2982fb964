export interface NarrowedSignal {
  readonly signal: AbortSignal
  /** Stops the clock until the promise settles, however often it is stopped at once. */
  pauseUntil(settled: Promise<unknown>): void
  /** Drops the timer and the listener; to be called once the work is over, however it ended. */
  release(): void
}

/** A signal that is aborted as `outer` is, or after `limitMs` with the reason that `toReason` makes. Holds nothing once either has happened. */
export function narrowSignal(outer: AbortSignal, limitMs: number, toReason: () => unknown): NarrowedSignal {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let leftMs = limitMs
  let startedAt = 0
  let pauses = 0
  let isOver = false
  const start = () => {
    startedAt = performance.now()
    timer = setTimeout(() => {
      release()
      controller.abort(toReason())
    }, leftMs)
  }
  const release = () => {
    isOver = true
    clearTimeout(timer)
    outer.removeEventListener('abort', onAbort)
  }
  const onAbort = () => {
    release()
    controller.abort(outer.reason)
  }
  const resume = () => {
    if (--pauses === 0 && !isOver) start()
  }
  start()
  outer.addEventListener('abort', onAbort)
  return {
    signal: controller.signal,
    pauseUntil(settled) {
      if (isOver) return
      if (pauses++ === 0) {
        clearTimeout(timer)
        leftMs = Math.max(1, leftMs - (performance.now() - startedAt))
      }
      settled.then(resume, resume)
    },
    release,
  }
}
