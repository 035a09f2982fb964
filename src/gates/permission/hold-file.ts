import { randomBytes } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const WAIT_MS = 3000
const RETRY_MS = 10
/** A change takes some milliseconds: who holds a file for so long has died over it. */
const STALE_MS = 10_000

/**
 * Takes hold of a file among processes, by a lock file beside it; returns what lets it go. Undefined if another process holds
 * it for longer than a change takes. Rejects if the folder cannot be written.
 */
export async function holdFile(path: string): Promise<(() => Promise<void>) | undefined> {
  const lock = `${path}.lock`
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    if (await create(lock)) return () => rm(lock, { force: true })
    if (await isStale(lock)) await takeAway(lock)
    else if (performance.now() > deadline) return undefined
    else await sleep(RETRY_MS * (0.5 + Math.random()))
  }
}

async function create(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    // Windows says EPERM or EACCES while the one before is being removed.
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'EEXIST' || (process.platform === 'win32' && ['EPERM', 'EACCES'].includes(code))) return false
    throw error
  }
}

async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}

/** Two may find the same one stale: who then moved a fresh one away puts it back. */
async function takeAway(lock: string): Promise<void> {
  const aside = `${lock}.${randomBytes(4).toString('hex')}`
  try {
    await rename(lock, aside)
    if (!(await isStale(aside))) await link(aside, lock)
  } catch {
    // Another process was faster.
  } finally {
    await rm(aside, { force: true })
  }
}
