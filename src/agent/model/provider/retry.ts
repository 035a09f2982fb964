export interface RetryLimits {
  /** Requests in all. */
  tries: number
  /** The first wait; each further one is twice as long. */
  firstWaitMs: number
  maxWaitMs: number
  /** All waits together. */
  totalWaitMs: number
}

export const RETRY_LIMITS: RetryLimits = { tries: 5, firstWaitMs: 1000, maxWaitMs: 20_000, totalWaitMs: 60_000 }

/**
 * How long to wait after the failed try number `attempt` (1-based): what the provider asks for, else an exponential time
 * with a quarter of jitter. Undefined if that is over the limits: then it is no use to wait.
 */
export function retryWaitMs(
  attempt: number,
  waitedMs: number,
  retryAfterMs: number | undefined,
  limits: RetryLimits,
): number | undefined {
  if (attempt >= limits.tries) return undefined
  const jitter = 0.75 + Math.random() / 2
  const own = Math.min(limits.firstWaitMs * 2 ** (attempt - 1), limits.maxWaitMs) * jitter
  // A little over what was asked for: many clients are let in at the same moment.
  const waitMs = retryAfterMs === undefined ? own : retryAfterMs + Math.min(limits.firstWaitMs, 250) * (jitter - 0.75)
  return waitedMs + waitMs > limits.totalWaitMs ? undefined : waitMs
}

/** Milliseconds that a provider asks to wait, from its headers: `retry-after-ms`, or seconds or a date in `retry-after`. */
export function parseRetryAfter(
  headers: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): number | undefined {
  const ms = Number(headers['retry-after-ms'] || Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return ms
  const value = headers['retry-after']
  if (!value) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** Resolves after `ms`, or rejects with the signal's reason at once when it aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    function stop() {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
