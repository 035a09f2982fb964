import type { Line, Style } from './styled.js'

const CELL_WIDTH = 8.4
const LINE_HEIGHT = 20
const PADDING = 16

const fill: Record<Style, string> = {
  plain: '#d8dee9',
  dim: '#7b8494',
  bold: '#ffffff',
  add: '#98c379',
  del: '#e06c75',
  ok: '#98c379',
  fail: '#e06c75',
  running: '#e5c07b',
  accent: '#61afef',
}

/** Lines as a picture: monospaced text on a dark ground, no script and no external font. */
export function toSvg(lines: readonly Line[], title: string): string {
  const columns = Math.max(40, ...lines.map(line => line.reduce((sum, { text }) => sum + [...text].length, 0)))
  const width = Math.ceil(columns * CELL_WIDTH + 2 * PADDING)
  const height = lines.length * LINE_HEIGHT + 2 * PADDING
  const rows = lines.map((line, row) => {
    const y = PADDING + row * LINE_HEIGHT + 14
    let column = 0
    const spans = line.map(({ text, style }) => {
      const shown = text.trim()
      const x = PADDING + (column + text.indexOf(shown)) * CELL_WIDTH
      column += [...text].length
      if (shown === '') return ''
      const weight = style === 'bold' ? ' font-weight="bold"' : ''
      // The columns stand, whatever monospaced font the reader has.
      const place = `x="${x.toFixed(1)}" y="${y}" textLength="${([...shown].length * CELL_WIDTH).toFixed(1)}"`
      return `<text ${place} fill="${fill[style]}"${weight} xml:space="preserve">${escapeXml(shown)}</text>`
    })
    return spans.join('')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(title)}</title>
<rect width="100%" height="100%" rx="8" fill="#1e222a"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
${rows.filter(row => row !== '').join('\n')}
</g>
</svg>
`
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char)
}
