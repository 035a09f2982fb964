import { onTestFinished, vi } from 'vitest'

/**
 * Limits that are set from now on (by setTimeout) are reached when the returned function is called, however busy the machine
 * is, and others run as ever after it. Waits of `node:timers/promises` go on.
 */
export function holdTimers(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return () => {
    vi.runOnlyPendingTimers()
    vi.useRealTimers()
  }
}
