/** What an answer from memory stays under, however large the machine's load. */
const SLOW_MS = 0.25
const SLOW_MS_PER_NAME = 0.005
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
