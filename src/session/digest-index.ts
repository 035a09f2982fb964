import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DigestedSession, LogDigest } from './log-digest.js'

const version = 1
const fileName = 'index.json'

/** Digests by session id. A cache: what is missing or wrong in it is read again from the logs. */
export type DigestIndex = Map<string, LogDigest>

/** The index of a directory; empty if there is none, or if it is damaged. Never rejects. */
export async function readIndex(directory: string): Promise<DigestIndex> {
  try {
    const value: unknown = JSON.parse(await readFile(join(directory, fileName), 'utf8'))
    if (!isObject(value) || value.version !== version || !Array.isArray(value.logs)) return new Map()
    return new Map(value.logs.filter(isEntry))
  } catch {
    return new Map()
  }
}

/** Replaces the index in one step, so that a concurrent reader sees the old one or the new one. Best effort. */
export async function writeIndex(directory: string, index: DigestIndex): Promise<void> {
  const draft = join(directory, `index.${randomUUID()}.tmp`)
  try {
    await writeFile(draft, JSON.stringify({ version, logs: [...index] }), { mode: 0o600 })
    await rename(draft, join(directory, fileName))
  } catch {
    // Without the index the list is slower, not wrong.
    await rm(draft, { force: true }).catch(() => undefined)
  }
}

/** True for a draft that a killed process may have left behind. */
export function isIndexDraft(name: string): boolean {
  return /^index\.[0-9a-f-]{36}\.tmp$/.test(name)
}

function isEntry(value: unknown): value is [string, LogDigest] {
  return Array.isArray(value) && typeof value[0] === 'string' && isDigest(value[1])
}

function isDigest(value: unknown): value is LogDigest {
  if (!isObject(value)) return false
  const sizes = [value.sizeBytes, value.mtimeMs, value.readBytes]
  return sizes.every(Number.isFinite) && (value.session === undefined || isSession(value.session))
}

function isSession(value: unknown): value is DigestedSession {
  return (
    isObject(value) &&
    typeof value.created === 'string' &&
    typeof value.cwd === 'string' &&
    (value.title === undefined || typeof value.title === 'string') &&
    (value.updatedMs === undefined ||
      (Number.isFinite(value.updatedMs) && Math.abs(Number(value.updatedMs)) <= 8.64e15))
  )
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}
