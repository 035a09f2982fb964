import { setImmediate as yieldToLoop } from 'node:timers/promises'

/** What an answer from memory stays under, however large the machine's load. */
const SLOW_MS = 0.25
const SLOW_MS_PER_NAME = 0.005
const SLICE_MS = 10
const FIRST_POOLED_CALLS = 32
const MAX_POOLED_CALLS = 2048

/**
 * Whether file system calls block. From memory a blocking call is answered in microseconds, where a trip through the thread
 * pool costs fifty; from a disk or a network the pool's calls run side by side and hold nobody up. The last answers decide.
 */
export class Pace {
  private pooledCalls = 0
  private nextPooledCalls = FIRST_POOLED_CALLS

  /** Whether the next call should block; then `took` must be told, else `pooled`. */
  get blocks(): boolean {
    return this.pooledCalls === 0
  }

  pooled(): void {
    this.pooledCalls = Math.max(0, this.pooledCalls - 1)
  }

  /** How long a blocking call took, and how many names of a directory it gave. */
  took(ms: number, names = 0): void {
    if (ms <= SLOW_MS + names * SLOW_MS_PER_NAME) {
      this.nextPooledCalls = FIRST_POOLED_CALLS
      return
    }
    this.pooledCalls = this.nextPooledCalls
    this.nextPooledCalls = Math.min(this.nextPooledCalls * 2, MAX_POOLED_CALLS)
  }
}

/** One look at a file, in both ways. */
export interface PacedLook<T> {
  /** Undefined where a blocking call may take too long. Tells the pace what its calls took since `startedAt`. */
  blocking: ((path: string, startedAt: number) => T) | undefined
  pooled(path: string): Promise<T>
}

/** Looks at each path and gives what was found in their order: blocking, in slices, or with the thread pool, side by side. */
export async function lookPaced<T>(paths: readonly string[], pace: Pace, look: PacedLook<T>): Promise<T[]> {
  const found: (T | Promise<T>)[] = []
  let sliceEnd = performance.now() + SLICE_MS
  for (const path of paths) {
    const startedAt = performance.now()
    if (pace.blocks && look.blocking) {
      found.push(look.blocking(path, startedAt))
    } else {
      pace.pooled()
      found.push(look.pooled(path))
    }
    if (startedAt < sliceEnd) continue
    await yieldToLoop()
    sliceEnd = performance.now() + SLICE_MS
  }
  return Promise.all(found)
}
