import { basename, isAbsolute, parse } from 'node:path'
import { HarnessError } from '../cards/index.js'
import type { SessionHeader } from './events.js'
import type { LogRecord } from './log-record.js'

/** The ending of a log's file name; the rest is the session's id. */
export const LOG_ENDING = '.jsonl'

/** The first readable record of a log, and the damaged text that stood before it. */
export interface LogHead {
  record: LogRecord
  damaged: string
}

/** A header, and why it had to be pieced together, if so. */
export interface FoundHeader {
  header: SessionHeader
  fault?: string
}

/**
 * The header of a log. The id is always the file's name. Without a usable header line the rest comes from the damaged
 * text, else from `fallbackCwd`, else the root directory stands for the cwd (B50). LOG_FAILED for another version.
 */
export function findHeader(path: string, head: LogHead, fallbackCwd?: string): FoundHeader {
  const id = basename(path, LOG_ENDING)
  const { record } = head
  if (record.type === 'session' && record.version !== 1) {
    throw new HarnessError(
      'LOG_FAILED',
      `The session log ${path} has format version ${JSON.stringify(record.version)}; this Deckhand reads version 1.`,
    )
  }
  const isHeader = record.type === 'session'
  const ownCwd = isHeader && isPath(record.cwd) ? record.cwd : damagedCwd(head.damaged)
  const cwd = ownCwd ?? (isPath(fallbackCwd) ? fallbackCwd : parse(path).root)
  const roots = isHeader && Array.isArray(record.roots) ? record.roots.filter(isPath) : []
  const first = typeof record.at === 'number' ? new Date(record.at) : undefined
  const created =
    isHeader && isDate(record.created)
      ? record.created
      : (first && !Number.isNaN(first.valueOf()) ? first : new Date(0)).toISOString()
  const header: SessionHeader = {
    type: 'session',
    version: 1,
    id,
    cwd,
    roots: [cwd, ...roots.filter(root => root !== cwd)],
    created,
  }
  if (!isHeader) {
    const from = ownCwd ? 'its working directory was recovered' : `the working directory is taken to be ${cwd}`
    return { header, fault: `no header; ${from}` }
  }
  return ownCwd ? { header } : { header, fault: `a header without a cwd; it is taken to be ${cwd}` }
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value)
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

function damagedCwd(damaged: string): string | undefined {
  const match = /"cwd":("(?:[^"\\]|\\.)*")/.exec(damaged)
  if (!match?.[1]) return undefined
  try {
    const value: unknown = JSON.parse(match[1])
    return isPath(value) ? value : undefined
  } catch {
    return undefined
  }
}
