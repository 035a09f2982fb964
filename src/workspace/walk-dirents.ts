import { type Dirent, opendirSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { sortByNameBytes } from './walk-order.js'
import type { Pace } from './walk-pace.js'

const READ_AHEAD_ENTRIES = 1024

/** A directory's entries in byte order of their names, a few more than `maxEntries` at most. Throws what the system says. */
export async function readDirents(path: string, maxEntries: number, pace: Pace): Promise<Dirent[]> {
  const dirents: Dirent[] = []
  if (pace.blocks) {
    await readBlocking(path, dirents, maxEntries, pace)
  } else {
    pace.pooled()
    for await (const dirent of await opendir(path, { bufferSize: READ_AHEAD_ENTRIES })) {
      dirents.push(dirent)
      if (dirents.length > maxEntries) break
    }
  }
  return sortByNameBytes(dirents)
}

// In pieces and not at once: an answer with 100,000 entries would hold the event loop for 100 ms.
async function readBlocking(path: string, dirents: Dirent[], maxEntries: number, pace: Pace): Promise<void> {
  let startedAt = performance.now()
  const directory = opendirSync(path, { bufferSize: READ_AHEAD_ENTRIES })
  try {
    let read = 0
    for (let dirent = directory.readSync(); dirent !== null; dirent = directory.readSync()) {
      dirents.push(dirent)
      read += 1
      if (dirents.length > maxEntries) break
      if (read < READ_AHEAD_ENTRIES) continue
      pace.took(performance.now() - startedAt, read)
      await yieldToLoop()
      startedAt = performance.now()
      read = 0
    }
    pace.took(performance.now() - startedAt, read)
  } finally {
    directory.closeSync()
  }
}
