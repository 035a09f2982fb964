import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

const STEP_BYTES = 1024 * 1024

/** Contents of files are never changed in place, and several ask for the hash of the same one. */
const known = new WeakMap<Uint8Array, string>()

/** SHA-256, hex; in steps, so that a large file does not hold up the other sessions. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  const before = known.get(bytes)
  if (before !== undefined) return before
  const hash = createHash('sha256')
  for (let start = 0; start < bytes.length; start += STEP_BYTES) {
    if (start > 0) await nextTurn()
    hash.update(bytes.subarray(start, start + STEP_BYTES))
  }
  return noteHash(bytes, hash.digest('hex'))
}

/** Keeps the hash of bytes that were hashed on their way in. */
export function noteHash(bytes: Uint8Array, hash: string): string {
  known.set(bytes, hash)
  return hash
}
