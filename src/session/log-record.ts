/** A JSON object of a log, not yet checked. */
export type LogRecord = { [key: string]: unknown }

/** What one line holds. `fault` says what was wrong with it, records or not. */
export interface ParsedLine {
  records: LogRecord[]
  fault?: string
}

// A bad line is searched for whole records only up to this length, and from this many places.
const maxSalvageLength = 1024 * 1024
const maxSalvageStarts = 8

/** The records of a line. A line that is not one JSON object is searched for whole records (B50). Never throws. */
export function parseLine(bytes: Buffer): ParsedLine {
  const line = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const whole = parseObject(line)
  if (whole) return { records: [whole] }
  if (line.trim() === '') return { records: [] }
  if (line.length > maxSalvageLength) return { records: [], fault: 'not a record' }
  const pieces = line.split(/\0+/).filter(piece => piece.trim() !== '')
  const records = pieces.flatMap(salvage)
  if (line.includes('\0')) return { records, fault: 'NUL bytes' }
  if (records.length > 1) return { records, fault: 'several records on one line' }
  return { records, fault: records.length === 1 ? 'a damaged record before a whole one' : 'not a record' }
}

/** Whole records at the start of a text; then, after a damaged stretch, those that reach to its end. */
function salvage(piece: string): LogRecord[] {
  const text = piece.trim()
  const { records, rest } = takeRecords(text, 0)
  if (rest === text.length) return records
  // An object nested in a torn record looks the same as a record, so only a run that ends with the line counts.
  const start = /\{"(?:at|type)":/g
  start.lastIndex = rest + 1
  for (let tries = 0; tries < maxSalvageStarts; tries++) {
    const match = start.exec(text)
    if (!match) break
    const tail = takeRecords(text, match.index)
    if (tail.rest === text.length) return [...records, ...tail.records]
  }
  return records
}

/** Objects that follow each other from `from` on, and where the first thing begins that is not one. */
function takeRecords(text: string, from: number): { records: LogRecord[]; rest: number } {
  const records: LogRecord[] = []
  let rest = from
  while (text[rest] === '{') {
    const end = objectEnd(text, rest)
    const record = end === undefined ? undefined : parseObject(text.slice(rest, end))
    if (end === undefined || !record || typeof record.type !== 'string') break
    records.push(record)
    rest = end
    while (text[rest] === ' ' || text[rest] === '\r') rest++
  }
  return { records, rest }
}

/** Index after the object that starts at `start`, by its braces; undefined if it does not end. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return at + 1
  }
  return undefined
}

function parseObject(text: string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LogRecord) : undefined
  } catch {
    return undefined
  }
}
