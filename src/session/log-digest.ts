import { open } from 'node:fs/promises'
import { eventFault } from './event-shape.js'
import { findHeader, type LogHead } from './header.js'
import { readLines } from './log-lines.js'
import { type LogRecord, parseLine } from './log-record.js'

/** What the list of sessions needs of one log, and how far the log was read for it. */
export interface LogDigest {
  /** File size and modification time the digest was made for. */
  sizeBytes: number
  mtimeMs: number
  /** Whole lines up to this byte are accounted for; a log only grows. */
  readBytes: number
  /** Absent if the log is no session that can be opened: no readable line, or another format version. */
  session?: DigestedSession
}

export interface DigestedSession {
  created: string
  /** The last cwd that was recorded. */
  cwd: string
  title?: string
  /** Milliseconds since the epoch, of the last event; absent before the first. */
  updatedMs?: number
}

const maxDamagedBytes = 64 * 1024

// Only lines with these bytes are parsed: quotes are escaped inside strings, so no text a user typed looks like it.
const configMark = Buffer.from('"type":"session/config"')

/** Digests a log; with a digest of an earlier state only what was appended since is read. Throws what node:fs throws. */
export async function digestLog(
  path: string,
  stat: { size: number; mtimeMs: number },
  earlier?: LogDigest,
): Promise<LogDigest> {
  const base = earlier?.session && earlier.sizeBytes <= stat.size ? earlier : undefined
  const digest: LogDigest = { sizeBytes: stat.size, mtimeMs: stat.mtimeMs, readBytes: base?.readBytes ?? 0 }
  if (base?.session) digest.session = { ...base.session }
  let damaged = ''
  let lastBytes: Buffer | undefined
  const file = await open(path, 'r')
  try {
    for await (const lines of readLines(file, { start: digest.readBytes, end: stat.size })) {
      for (const { bytes, terminated, end } of lines) {
        if (!bytes) continue
        if (!digest.session) {
          const [record] = parseLine(bytes).records
          if (record?.type !== 'session') damaged ||= bytes.toString('utf8', 0, maxDamagedBytes)
          if (record) digest.session = firstDigest(path, { record, damaged })
          if (record && !digest.session) return digest
        } else if (bytes.includes(configMark)) takeConfig(digest.session, bytes)
        if (terminated) digest.readBytes = end
        if (terminated || lastRecord(bytes)) lastBytes = bytes
      }
    }
  } finally {
    await file.close()
  }
  if (digest.session && lastBytes) takeTime(digest.session, lastRecord(lastBytes), stat.mtimeMs)
  return digest
}

function firstDigest(path: string, head: LogHead): DigestedSession | undefined {
  try {
    const { created, cwd } = findHeader(path, head).header
    return { created, cwd }
  } catch {
    // Another format version: opening it says so, the list leaves it out.
    return undefined
  }
}

function takeTime(session: DigestedSession, last: LogRecord | undefined, mtimeMs: number): void {
  const isHeaderAlone = last?.type === 'session' && session.updatedMs === undefined
  if (isHeaderAlone) return
  const isTime = typeof last?.at === 'number' && !Number.isNaN(new Date(last.at).valueOf())
  session.updatedMs = isTime ? Number(last?.at) : Math.floor(mtimeMs)
}

function takeConfig(session: DigestedSession, bytes: Buffer): void {
  for (const record of parseLine(bytes).records) {
    if (record.type !== 'session/config' || eventFault(record.type, record) !== undefined) continue
    if (typeof record.title === 'string') session.title = record.title
    if (typeof record.cwd === 'string') session.cwd = record.cwd
  }
}

function lastRecord(bytes: Buffer): LogRecord | undefined {
  return parseLine(bytes).records.at(-1)
}
