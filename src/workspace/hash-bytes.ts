import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

const STEP_BYTES = 1024 * 1024

/** SHA-256, hex; in steps, so that a large file does not hold up the other sessions. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let start = 0; start < bytes.length; start += STEP_BYTES) {
    if (start > 0) await nextTurn()
    hash.update(bytes.subarray(start, start + STEP_BYTES))
  }
  return hash.digest('hex')
}
