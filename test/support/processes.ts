import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** True while a process runs; one that has ended but was not collected does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return process.platform !== 'linux'
  }
}

/** Waits until `condition` holds; after the limit it throws. */
export async function until(condition: () => boolean, limitMs = 20_000): Promise<void> {
  for (const deadline = performance.now() + limitMs; !condition(); ) {
    if (performance.now() > deadline) throw new Error(`Still not so after ${limitMs} ms: ${condition}`)
    await wait(10)
  }
}
