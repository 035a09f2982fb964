import { type DiffRow, diffRows, toLines, undrawnSize } from './diff-rows.js'
import { fitLine } from './fit-line.js'
import { type Line, type Style, span } from './styled.js'

interface DiffBlock {
  path: string
  oldText?: string | null
  newText: string
}

const SIGNS: Record<DiffRow['change'], string> = { same: ' ', removed: '-', added: '+' }
const STYLES: Record<DiffRow['change'], Style> = { same: 'plain', removed: 'del', added: 'add' }

/** A diff block as +/- lines with line numbers of the new side. `firstChange` is the 1-based line of its first change. */
export function drawDiff(block: DiffBlock, firstChange: number | undefined): Line[] {
  const { path, oldText, newText } = block
  const size = undrawnSize(block)
  if (size !== undefined) return [[span(path, 'accent')], [span(`[a diff of ${size}: not shown here]`, 'dim')]]
  const before = toLines(oldText ?? '')
  const after = toLines(newText)
  const rows = diffRows(oldText ?? '', newText, firstChange).map(({ change, index, newLine }): Line => {
    const text = change === 'removed' ? before[index] : after[index]
    return [
      span(`${`${newLine ?? ''}`.padStart(4)} `, 'dim'),
      span(fitLine(`${SIGNS[change]} ${text}`), STYLES[change]),
    ]
  })
  return [[span(oldText === null ? `new file ${path}` : path, 'accent')], ...rows]
}
