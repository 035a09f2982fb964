import { alignLines, indexLines } from '../../cards/index.js'
import { fitLine } from './fit-line.js'
import { type Line, span } from './styled.js'

interface DiffBlock {
  path: string
  oldText?: string | null
  newText: string
}

/** A diff block as +/- lines with line numbers of the new side. `firstChange` is the 1-based line of its first change. */
export function drawDiff({ path, oldText, newText }: DiffBlock, firstChange: number | undefined): Line[] {
  const before = toLines(oldText ?? '')
  const after = toLines(newText)
  const changes = alignLines(indexLines(oldText ?? ''), indexLines(newText))
  const lead = changes[0]?.newStart ?? 0
  let number = Math.max(1, (firstChange ?? lead + 1) - lead)
  const lines: Line[] = [[span(oldText === null ? `new file ${path}` : path, 'accent')]]
  let at = 0
  const keep = (end: number) => {
    for (; at < end; at++) lines.push([span(gutter(number++), 'dim'), span(fitLine(`  ${after[at]}`))])
  }
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    keep(newStart)
    for (let index = oldStart; index < oldEnd; index++)
      lines.push([span(gutter(), 'dim'), span(fitLine(`- ${before[index]}`), 'del')])
    for (; at < newEnd; at++) lines.push([span(gutter(number++), 'dim'), span(fitLine(`+ ${after[at]}`), 'add')])
  }
  keep(after.length)
  return lines
}

function toLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function gutter(number?: number): string {
  return `${`${number ?? ''}`.padStart(4)} `
}
