import { cutText } from '../../cards/index.js'
import type { LineHit } from './file-scan.js'

const MAX_LINE_LENGTH = 400
const LEAD_LENGTH = 120

export interface RenderedFile {
  rows: string[]
  /** Hits among the rows. */
  hitCount: number
}

/**
 * The rows of one file: `path:line: text` for a hit, `path-line- text` for context, `--` between lines that do not follow
 * each other. At most `maxBytes`, and whole hits only.
 */
export function renderFile(
  path: string,
  text: string,
  hits: readonly LineHit[],
  context: number,
  maxBytes: number,
): RenderedFile {
  const rows: string[] = []
  let room = maxBytes
  let printed = 0
  let hitCount = 0
  for (const [index, hit] of hits.entries()) {
    const before = linesBefore(text, hit, Math.min(context, hit.line - printed - 1))
    const nextLine = hits[index + 1]?.line ?? Number.POSITIVE_INFINITY
    const after = linesAfter(text, hit, Math.min(context, nextLine - hit.line - 1))
    const gap = context > 0 && printed > 0 && hit.line - before.length > printed + 1
    const group = [
      ...(gap ? ['--'] : []),
      ...before.map((line, at) => `${path}-${hit.line - before.length + at}- ${cutText(line, MAX_LINE_LENGTH)}`),
      `${path}:${hit.line}: ${cutAround(text.slice(hit.start, hit.end), hit.match - hit.start)}`,
      ...after.map((line, at) => `${path}-${hit.line + at + 1}- ${cutText(line, MAX_LINE_LENGTH)}`),
    ]
    room -= group.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0)
    if (room < 0) break
    rows.push(...group)
    printed = hit.line + after.length
    hitCount += 1
  }
  return { rows, hitCount }
}

// A long line is shown around its match, with `…` for what is not shown.
function cutAround(line: string, match: number): string {
  if (line.length <= MAX_LINE_LENGTH) return line
  const start = Math.min(Math.max(0, match - LEAD_LENGTH), line.length - MAX_LINE_LENGTH)
  const end = start + MAX_LINE_LENGTH
  const shown = line.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${shown}${end < line.length ? '…' : ''}`
}

function linesBefore(text: string, hit: LineHit, count: number): string[] {
  const lines: string[] = []
  for (let end = hit.start - 1; lines.length < count && end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    lines.unshift(withoutCr(text.slice(start, end)))
    end = start - 1
  }
  return lines
}

function linesAfter(text: string, hit: LineHit, count: number): string[] {
  const lines: string[] = []
  for (let start = text.indexOf('\n', hit.end) + 1; lines.length < count && start > 0 && start < text.length; ) {
    const newline = text.indexOf('\n', start)
    lines.push(withoutCr(text.slice(start, newline === -1 ? text.length : newline)))
    start = newline + 1
  }
  return lines
}

function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
