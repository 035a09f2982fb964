import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isIndexDraft } from './digest-index.js'
import { sweepLocks } from './lock.js'

export interface PruneLimits {
  /** Sessions not appended to for longer are removed; 90 days by default. */
  maxAgeMs?: number
  /** What all logs together may hold; the oldest go first. 1 GiB by default. */
  maxBytes?: number
}

export interface PruneReport {
  /** Ids of the removed sessions. */
  removed: string[]
  freedBytes: number
}

/** A log as the file system shows it. */
export interface LogFile {
  id: string
  sizeBytes: number
  mtimeMs: number
}

const dayMs = 24 * 60 * 60 * 1000
const draftAgeMs = 60 * 60 * 1000

/** Removes old logs, oldest first. `remove` answers false for a log that is in use; it stays. Never rejects. */
export async function pruneLogs(
  files: readonly LogFile[],
  limits: PruneLimits,
  remove: (id: string) => Promise<boolean>,
): Promise<PruneReport> {
  const { maxAgeMs = 90 * dayMs, maxBytes = 1024 ** 3 } = limits
  const oldest = Date.now() - maxAgeMs
  let totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  const report: PruneReport = { removed: [], freedBytes: 0 }
  for (const file of [...files].sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (file.mtimeMs >= oldest && totalBytes <= maxBytes) break
    if (!(await remove(file.id))) continue
    totalBytes -= file.sizeBytes
    report.removed.push(file.id)
    report.freedBytes += file.sizeBytes
  }
  return report
}

/** Removes what killed processes left beside the logs: their locks, drafts of the index. Best effort. */
export async function sweepRemains(directory: string): Promise<void> {
  try {
    sweepLocks(directory)
    for (const name of await readdir(directory)) {
      if (!isIndexDraft(name)) continue
      const path = join(directory, name)
      if ((await stat(path)).mtimeMs < Date.now() - draftAgeMs) await rm(path, { force: true })
    }
  } catch {
    // What stays is small and harmless.
  }
}
