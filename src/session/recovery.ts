import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { HarnessError } from '../cards/index.js'
import { CallPairs } from './call-pairs.js'
import { eventFault, isKnownEventType } from './event-shape.js'
import type { LoggedEvent, SessionEvent, SessionHeader } from './events.js'
import { findHeader, LOG_ENDING, type LogHead } from './header.js'
import { hasErrno, logError } from './io-failure.js'
import { type LogLine, type ReadableBytes, readLines } from './log-lines.js'
import { type LogRecord, parseLine } from './log-record.js'

const maxWarnings = 100
const maxDamagedBytes = 64 * 1024

/** A line (1-based) that was not used, or only in part. */
export interface LogWarning {
  line: number
  reason: string
}

export interface ReadLogOptions {
  /** The cwd if the log lost its own: a load request names one. */
  fallbackCwd?: string
  /** Longer lines are skipped; 32 MiB by default. */
  maxLineBytes?: number
  /** Where the bytes are read from; the file of the path by default. Called once for each pass. */
  openFile?: (path: string) => Promise<LogFile>
}

/** What a reading needs of a file. */
export interface LogFile extends ReadableBytes {
  stat(): Promise<{ size: number }>
  close(): Promise<void>
}

/** One pass over a log as it was when readLog was called. */
export interface LogReading {
  readonly header: SessionHeader
  /** The good events in order, once. Each call has one introduction and at most one result. */
  readonly batches: AsyncGenerator<LoggedEvent[]>
  /** Grows while the batches are read; the first 100. */
  readonly warnings: readonly LogWarning[]
  /** How many events of unknown types were skipped, by type. */
  readonly unknownTypes: ReadonlyMap<string, number>
  /** After the last batch: the events that close what a crash left open. Empty if nothing is. */
  closing(): SessionEvent[]
}

/** Reads a log in bounded memory. SESSION_NOT_FOUND without a file, LOG_FAILED if nothing in it can be used. */
export async function readLog(path: string, options: ReadLogOptions = {}): Promise<LogReading> {
  const { openFile = openLog } = options
  const file = await openFile(path)
  let start: LogStart | undefined
  let sizeBytes: number
  try {
    sizeBytes = (await file.stat()).size
    start = await readStart(file, { ...options, end: sizeBytes })
  } catch (cause) {
    throw logError(path, 'read', cause)
  } finally {
    await file.close()
  }
  if (!start) throw new HarnessError('LOG_FAILED', `The session log ${path} holds no readable record.`)
  const { header, fault } = findHeader(path, start.head, options.fallbackCwd)
  const report: Report = {
    warnings: [],
    unknownTypes: new Map(),
    pairs: new CallPairs(),
    started: false,
    headerFault: fault,
  }
  return {
    header,
    batches: readEvents(path, start.lines, { ...options, end: sizeBytes }, report),
    warnings: report.warnings,
    unknownTypes: report.unknownTypes,
    closing: () => report.pairs.closing(),
  }
}

type Range = ReadLogOptions & { end: number }

interface Report {
  warnings: LogWarning[]
  unknownTypes: Map<string, number>
  pairs: CallPairs
  /** A record was seen: what comes now is no header. */
  started: boolean
  headerFault?: string
}

async function* readEvents(
  path: string,
  first: readonly LogLine[],
  range: Range,
  report: Report,
): AsyncGenerator<LoggedEvent[]> {
  let number = 0
  const take = (lines: readonly LogLine[]) => {
    const events: LoggedEvent[] = []
    for (const line of lines) {
      number++
      const fault = takeLine(line, events, report)
      if (fault && report.warnings.length < maxWarnings) report.warnings.push({ line: number, reason: fault })
    }
    return events
  }
  const events = take(first)
  if (events.length > 0) yield events
  const start = first.at(-1)?.end ?? 0
  if (start >= range.end) return
  const { openFile = openLog } = range
  const file = await openFile(path)
  try {
    for await (const lines of readLines(file, { ...range, start })) {
      const events = take(lines)
      if (events.length > 0) yield events
    }
  } finally {
    await file.close()
  }
}

/** Adds the events of one line and returns what was wrong with it: one warning per line. */
function takeLine(line: LogLine, events: LoggedEvent[], report: Report): string | undefined {
  const faults: string[] = []
  if (report.headerFault) faults.push(report.headerFault)
  report.headerFault = undefined
  const { records, fault } = line.bytes ? parseLine(line.bytes) : { records: [], fault: 'the line is too long' }
  if (fault) faults.push(!line.terminated && records.length === 0 ? 'the last line is torn' : fault)
  for (const record of records) {
    const problem = takeRecord(record, events, report)
    if (problem) faults.push(problem)
  }
  return faults.length > 0 ? faults.join('; ') : undefined
}

function takeRecord(record: LogRecord, events: LoggedEvent[], report: Report): string | undefined {
  const { type } = record
  const isFirst = !report.started
  report.started = true
  if (typeof type !== 'string') return 'a record without a type'
  if (type === 'session') return isFirst ? undefined : 'a header that is not the first record'
  if (!isKnownEventType(type)) {
    report.unknownTypes.set(type, (report.unknownTypes.get(type) ?? 0) + 1)
    return undefined
  }
  const field = eventFault(type, record)
  if (field !== undefined) return `${type} with a wrong field: ${field}`
  const event = record as LoggedEvent
  const problem = report.pairs.add(event)
  if (problem === undefined) events.push(event)
  return problem
}

async function openLog(path: string): Promise<LogFile> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    if (!hasErrno(cause, 'ENOENT')) throw logError(path, 'read', cause)
    throw new HarnessError('SESSION_NOT_FOUND', `There is no session ${basename(path, LOG_ENDING)}.`, { cause })
  }
}

/** The first record, and the lines that were read with it: none if it does not stand in the first batch, which is bounded. */
interface LogStart {
  head: LogHead
  lines: readonly LogLine[]
}

async function readStart(file: LogFile, range: Range): Promise<LogStart | undefined> {
  let damaged = ''
  let isFirst = true
  for await (const lines of readLines(file, range)) {
    for (const { bytes } of lines) {
      if (!bytes) continue
      const [record] = parseLine(bytes).records
      if (damaged === '' && record?.type !== 'session') damaged = bytes.toString('utf8', 0, maxDamagedBytes)
      if (record) return { head: { record, damaged }, lines: isFirst ? lines : [] }
    }
    isFirst = false
  }
  return undefined
}
