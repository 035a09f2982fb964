import { alignLines, byteLength, formatBytes, indexLines } from '../../cards/index.js'

/** Longer texts are not compared for a reader. */
const MAX_TEXT_BYTES = 512 * 1024

/** The size of a diff block that is too large to be drawn, such as `3.2 MiB`; undefined for one that can be. */
export function undrawnSize({ oldText, newText }: { oldText?: string | null; newText: string }): string | undefined {
  const bytes = byteLength(oldText ?? '') + byteLength(newText)
  return bytes > MAX_TEXT_BYTES ? formatBytes(bytes) : undefined
}

/** A line of a diff; `index` is its place in the text that it comes from, which is the new one unless it was removed. */
export interface DiffRow {
  change: 'same' | 'removed' | 'added'
  index: number
  /** 1-based, where the side has the line. */
  oldLine?: number
  newLine?: number
}

/**
 * The lines of a diff block in their order. `firstChange` is the 1-based line of the first change in the file that was
 * written; without it the texts count as whole files.
 */
export function diffRows(oldText: string, newText: string, firstChange: number | undefined): DiffRow[] {
  const changes = alignLines(indexLines(oldText), indexLines(newText))
  const lead = changes[0]?.newStart ?? 0
  const start = Math.max(1, (firstChange ?? lead + 1) - lead)
  const rows: DiffRow[] = []
  let [oldAt, newAt] = [0, 0]
  const keep = (end: number) => {
    for (; newAt < end; newAt++, oldAt++)
      rows.push({ change: 'same', index: newAt, oldLine: start + oldAt, newLine: start + newAt })
  }
  for (const { oldEnd, newStart, newEnd } of changes) {
    keep(newStart)
    for (; oldAt < oldEnd; oldAt++) rows.push({ change: 'removed', index: oldAt, oldLine: start + oldAt })
    for (; newAt < newEnd; newAt++) rows.push({ change: 'added', index: newAt, newLine: start + newAt })
  }
  keep(toLines(newText).length)
  return rows
}

/** Lines without their ends; none after the last newline. */
export function toLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
