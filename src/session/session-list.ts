import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { HarnessError } from '../cards/index.js'

/** One entry of the list. `updatedAt` and `created` are ISO 8601; `cwd` is the last one the session had. */
export interface SessionSummary {
  id: string
  cwd: string
  created: string
  updatedAt: string
  title?: string
}

export interface ListOptions {
  /** Only sessions whose last cwd is this directory. */
  cwd?: string
  /** `nextCursor` of the page before. */
  cursor?: string
  /** 50 by default, 500 at most. */
  limit?: number
}

export interface SessionPage {
  sessions: SessionSummary[]
  /** Absent on the last page. */
  nextCursor?: string
}

const defaultLimit = 50
const maxLimit = 500

/**
 * A page of the newest sessions. The cursor names the last entry that was shown, so sessions that are new or were used
 * meanwhile repeat and shift nothing. INVALID_ARGS for a cursor that is none of ours.
 */
export async function pageOf(all: readonly SessionSummary[], options: ListOptions): Promise<SessionPage> {
  const after = options.cursor === undefined ? undefined : fromCursor(options.cursor)
  const limit = Math.min(Math.max(Math.trunc(options.limit ?? defaultLimit), 1), maxLimit)
  const wanted = options.cwd === undefined ? all : await inDirectory(all, options.cwd)
  const rest = wanted.filter(session => !after || isOlder(session, after)).sort((a, b) => (isOlder(a, b) ? 1 : -1))
  const sessions = rest.slice(0, limit)
  const last = sessions.at(-1)
  return last && rest.length > limit ? { sessions, nextCursor: toCursor(last) } : { sessions }
}

type Place = Pick<SessionSummary, 'id' | 'updatedAt'>

function isOlder(a: Place, b: Place): boolean {
  return a.updatedAt === b.updatedAt ? a.id > b.id : a.updatedAt < b.updatedAt
}

function toCursor({ id, updatedAt }: Place): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url')
}

function fromCursor(cursor: string): Place {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const [updatedAt, id]: unknown[] = Array.isArray(value) ? value : []
    if (typeof updatedAt === 'string' && !Number.isNaN(Date.parse(updatedAt)) && typeof id === 'string') {
      return { id, updatedAt }
    }
  } catch {
    // Answered below.
  }
  throw new HarnessError('INVALID_ARGS', 'The cursor of the session list is not one that this list gave out.')
}

/** Compares real paths, so that both spellings of a linked directory find its sessions (B42). */
async function inDirectory(all: readonly SessionSummary[], cwd: string): Promise<SessionSummary[]> {
  const wanted = await realDirectory(cwd)
  const known = new Map<string, boolean>()
  for (const session of all) {
    if (!known.has(session.cwd)) known.set(session.cwd, (await realDirectory(session.cwd)) === wanted)
  }
  return all.filter(session => known.get(session.cwd))
}

async function realDirectory(path: string): Promise<string> {
  const real = await realpath(path).catch(() => resolve(path))
  return process.platform === 'win32' ? real.toLowerCase() : real
}
