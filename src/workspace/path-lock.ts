import { HarnessError } from '../cards/index.js'

const tails = new Map<string, Promise<void>>()

/** One spelling per file, for maps: Windows and macOS take names of another case, or another Unicode form, for the same. */
export function toPathKey(realPath: string): string {
  if (process.platform !== 'win32' && process.platform !== 'darwin') return realPath
  return realPath.normalize('NFC').toLowerCase()
}

/**
 * Runs `body` alone among all callers of this process with the same real path, first come first served (B15).
 * An abort ends the wait for the turn (ABORTED), never a body that has started.
 */
export async function withPathLock<T>(realPath: string, body: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const key = toPathKey(realPath)
  const before = tails.get(key)
  const { promise: held, resolve: release } = deferred()
  const tail = before === undefined ? held : before.then(() => held)
  tails.set(key, tail)
  void tail.then(() => {
    if (tails.get(key) === tail) tails.delete(key)
  })
  try {
    if (before !== undefined) await untilAborted(before, signal)
    else if (signal?.aborted) throw stopped()
    return await body()
  } finally {
    release()
  }
}

/** How many paths are locked or waited for. */
export function lockedPaths(): number {
  return tails.size
}

async function untilAborted(turn: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return turn
  const aborted = deferred()
  const stop = () => aborted.resolve()
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (!signal.aborted) await Promise.race([turn, aborted.promise])
    if (signal.aborted) throw stopped()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function stopped(): HarnessError {
  return new HarnessError('ABORTED', 'The call was stopped while it waited for the file.')
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
