import { formatBytes } from '../../cards/index.js'
import type { FileLine, FileLines, LineRange } from '../../workspace/index.js'

/** What a read found, for `meta`. */
export interface ReadFacts {
  firstLine: number
  /** 0 if no line was read. */
  lastLine: number
  /** Absent if the file is too large to be counted. */
  lineCount?: number
  /** The file goes on after the last line. */
  more: boolean
  encoding: string
  /** The text is the editor's, which the disk does not have. */
  unsaved?: true
}

/** The lines with their numbers, and notes in square brackets on what is not shown and how to get it. */
export function renderLines(path: string, range: LineRange, found: FileLines): { body: string; facts: ReadFacts } {
  const { lines, lineCount } = found
  const lastLine = lines.at(-1)?.number ?? 0
  const more = lines.length > 0 && (lineCount === undefined || lastLine < lineCount)
  const encoding = found.type.kind === 'text' ? found.type.encoding : 'utf-8'
  const notes = [
    emptyNote(range, found),
    cutNote(path, lines),
    more ? partNote(range.first, lastLine, lineCount, found.sizeBytes) : undefined,
    encodingNote(encoding),
    found.unsaved &&
      'The editor holds this text unsaved. Searches and commands see the file on the disk, which is another.',
  ].filter(note => note !== undefined)
  const numbered = lines.map(line => `${String(line.number).padStart(6)}\t${line.bytes.toString('utf8')}`)
  return {
    body: [...numbered, ...notes.map(note => `[${note}]`)].join('\n'),
    facts: {
      firstLine: range.first,
      lastLine,
      more,
      encoding,
      ...(lineCount !== undefined && { lineCount }),
      ...(found.unsaved && { unsaved: true }),
    },
  }
}

function emptyNote(range: LineRange, { lines, lineCount }: FileLines): string | undefined {
  if (lines.length > 0) return undefined
  if (lineCount === 0) return 'The file is empty.'
  return `The file has ${countLines(lineCount ?? 0)}: offset ${range.first} is past its end.`
}

// The next offset leads past a cut line, so its rest needs a way of its own (B66).
function cutNote(path: string, lines: readonly FileLine[]): string | undefined {
  const cut = lines.filter(line => line.sizeBytes > line.bytes.length)
  const first = cut[0]
  if (first === undefined) return undefined
  const shown = first.bytes.length
  const subject =
    cut.length === 1
      ? `Line ${first.number} is cut after ${shown} of ${first.sizeBytes} bytes.`
      : `${cut.length} lines are cut after about ${shown} bytes each, the first of them line ${first.number} (${first.sizeBytes} bytes).`
  const command = `sed -n ${first.number}p ${shellQuote(path)} | cut -b ${shown + 1}-${shown * 2}`
  return `${subject} A shell shows more of it: ${command}`
}

function partNote(first: number, last: number, lineCount: number | undefined, sizeBytes: number): string {
  const whole = lineCount === undefined ? `a file of ${formatBytes(sizeBytes)}` : String(lineCount)
  return `Lines ${first}-${last} of ${whole}. To go on: offset ${last + 1}.`
}

function encodingNote(encoding: string): string | undefined {
  if (encoding === '8-bit')
    return 'The file is not valid UTF-8: bytes that are not stand as \uFFFD. Edits leave them as they are.'
  if (encoding === 'utf-8') return undefined
  return `The file is ${encoding.toUpperCase()}, shown decoded. It cannot be changed before it is converted to UTF-8.`
}

function countLines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`
}

function shellQuote(path: string): string {
  return /^[\w./-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
