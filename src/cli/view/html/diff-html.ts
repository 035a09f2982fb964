import { type DiffRow, diffRows, toLines, undrawnSize } from '../../draw/diff-rows.js'
import { leftOut } from './content-html.js'
import { highlightLines } from './highlight.js'
import { type Html, html } from './html.js'

interface DiffBlock {
  path: string
  oldText?: string | null
  newText: string
}

const MAX_ROWS = 1_500
/** Lines around a change that are shown when an agent sends whole files. */
const CONTEXT_LINES = 4

const SIGNS: Record<DiffRow['change'], string> = { same: ' ', removed: '−', added: '+' }
const WORDS: Record<DiffRow['change'], string> = { same: '', removed: 'removed ', added: 'added ' }

/**
 * A diff block with line numbers of both sides. `firstChange` is the 1-based line of its first change in the new file;
 * `shift` is by how many lines the blocks before it made the file longer.
 */
export function diffHtml(block: DiffBlock, firstChange: number | undefined, shift: number): Html {
  const { path, oldText, newText } = block
  const size = undrawnSize(block)
  if (size !== undefined) return html`<p class="path">${path}</p>${leftOut(`a diff of ${size}`)}`
  const before = toLines(oldText ?? '')
  const after = toLines(newText)
  const rows = diffRows(oldText ?? '', newText, firstChange)
  const code = { old: highlightLines(before, path), new: highlightLines(after, path) }
  const shown = withoutFarLines(rows)
  const added = rows.filter(({ change }) => change === 'added').length
  const removed = rows.filter(({ change }) => change === 'removed').length
  const more = shown.length > MAX_ROWS ? leftOut(`${shown.length - MAX_ROWS} more lines`) : undefined
  return html`<div class="diff-block">
<p class="path">${oldText === null ? 'new file ' : ''}${path} <span class="added-count">+${added}</span> <span class="removed-count">−${removed}</span></p>
<div class="scroll" tabindex="0" role="region" aria-label="Changes of ${path}"><table class="diff"><tbody>
${shown.slice(0, MAX_ROWS).map(row => rowHtml(row, code, shift))}</tbody></table></div>${more}</div>
`
}

interface Gap {
  hidden: number
}

function rowHtml(row: DiffRow | Gap, code: { old: Html[]; new: Html[] }, shift: number): Html {
  if ('hidden' in row)
    return html`<tr class="gap"><td colspan="4">${row.hidden} unchanged ${row.hidden === 1 ? 'line' : 'lines'}</td></tr>
`
  const { change, index, oldLine, newLine } = row
  const line = change === 'removed' ? code.old[index] : code.new[index]
  const oldNumber = oldLine === undefined ? '' : oldLine - shift
  return html`<tr class="${change}"><td class="n">${oldNumber}</td><td class="n">${newLine ?? ''}</td><td class="sign"><span class="sr">${WORDS[change]}</span>${SIGNS[change]}</td><td class="code">${line}</td></tr>
`
}

/** Long runs of equal lines become a gap. */
function withoutFarLines(rows: readonly DiffRow[]): (DiffRow | Gap)[] {
  const near = new Uint8Array(rows.length)
  rows.forEach(({ change }, index) => {
    if (change !== 'same') near.fill(1, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
  })
  const shown: (DiffRow | Gap)[] = []
  rows.forEach((row, index) => {
    const last = shown.at(-1)
    if (near[index] === 1) shown.push(row)
    else if (last && 'hidden' in last) last.hidden++
    else shown.push({ hidden: 1 })
  })
  return shown
}

/** By how many lines a block makes its file longer. */
export function lineShift({ oldText, newText }: DiffBlock): number {
  return toLines(newText).length - toLines(oldText ?? '').length
}
