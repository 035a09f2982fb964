const chunkBytes = 16 * 1024
const newline = 0x0a

/** A line over this is never kept in memory: it is reported by its length. Records are kept under it when written. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024

/** One line of a log without its newline. `bytes` is undefined if the line is over the limit. */
export interface LogLine {
  bytes: Buffer | undefined
  /** Byte offset just after the line, newline included. */
  end: number
  /** False for a last line that lacks its newline. */
  terminated: boolean
}

/** As a file of `node:fs/promises` is read. */
export interface ReadableBytes {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
}

export interface LineRange {
  /** First byte, at the start of a line. */
  start?: number
  /** Bytes from here on are not read: what is appended meanwhile belongs to a later reading. */
  end: number
  maxLineBytes?: number
}

/** The lines of a file by batches of about 16 KiB, in bounded memory; the event loop runs between two batches. */
export async function* readLines(file: ReadableBytes, range: LineRange): AsyncGenerator<LogLine[]> {
  const limit = range.maxLineBytes ?? MAX_LINE_BYTES
  let position = range.start ?? 0
  let parts: Buffer[] = []
  let length = 0

  const keep = (part: Buffer) => {
    length += part.length
    if (length > limit) parts = []
    else if (part.length > 0) parts.push(part)
  }
  const take = (end: number, terminated: boolean): LogLine => {
    const bytes = length > limit ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts)
    parts = []
    length = 0
    return { bytes, end, terminated }
  }

  while (position < range.end) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, range.end - position))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) break
    const data = chunk.subarray(0, bytesRead)
    const lines: LogLine[] = []
    let from = 0
    for (let at = data.indexOf(newline); at !== -1; at = data.indexOf(newline, from)) {
      keep(data.subarray(from, at))
      lines.push(take(position + at + 1, true))
      from = at + 1
    }
    keep(data.subarray(from))
    position += bytesRead
    if (lines.length > 0) yield lines
  }
  if (length > 0) yield [take(position, false)]
}
