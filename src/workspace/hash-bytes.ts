import { createHash, hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

const STEP_BYTES = 1024 * 1024
const MAX_RECENT = 4
const MAX_RECENT_BYTES = 256 * 1024

/** Contents of files are never changed in place, and several ask for the hash of the same one. */
const known = new WeakMap<Uint8Array, string>()

/** Copies of the last contents: what was written is often read again as it is, and comparing costs far less than hashing. */
const recent: { bytes: Buffer; hash: string }[] = []

/** SHA-256, hex; in steps, so that a large file does not hold up the other sessions. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  const before = known.get(bytes)
  if (before !== undefined) return before
  const found = bytes.length <= MAX_RECENT_BYTES ? hashSmall(bytes) : await hashInSteps(bytes)
  known.set(bytes, found)
  return found
}

function hashSmall(bytes: Uint8Array): string {
  const same = recent.find(other => other.bytes.equals(bytes))
  if (same !== undefined) return same.hash
  const found = hash('sha256', bytes)
  // A copy of our own: nobody can change it.
  recent.unshift({ bytes: Buffer.from(bytes), hash: found })
  if (recent.length > MAX_RECENT) recent.pop()
  return found
}

async function hashInSteps(bytes: Uint8Array): Promise<string> {
  const steps = createHash('sha256')
  for (let start = 0; start < bytes.length; start += STEP_BYTES) {
    if (start > 0) await nextTurn()
    steps.update(bytes.subarray(start, start + STEP_BYTES))
  }
  return steps.digest('hex')
}
