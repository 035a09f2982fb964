import { MarkdownWriter } from './markdown-writer.js'

const MAX_CELL_CHARS = 200

/** Rows and cells of one table while it is read. */
export class HtmlTable {
  readonly #rows: string[][] = []
  #cell: MarkdownWriter | undefined

  /** Where the text of the open cell goes; undefined between cells. */
  get cell(): MarkdownWriter | undefined {
    return this.#cell
  }

  openRow(): void {
    this.closeCell()
    this.#rows.push([])
  }

  openCell(): void {
    this.closeCell()
    if (this.#rows.length === 0) this.openRow()
    this.#cell = new MarkdownWriter()
  }

  closeCell(): void {
    if (this.#cell === undefined) return
    this.#rows.at(-1)?.push(this.#cell.toString())
    this.#cell = undefined
  }

  /** As a table of Markdown if it holds short cells; one that only lays out the page as its cells one after another. */
  writeTo(writer: MarkdownWriter): void {
    this.closeCell()
    const rows = this.#rows.filter(row => row.some(cell => cell !== ''))
    const [head] = rows
    if (!head) return
    writer.break(2)
    const isData =
      rows.some(row => row.length > 1) &&
      rows.every(row => row.every(cell => cell.length <= MAX_CELL_CHARS && !cell.includes('\n')))
    if (isData) {
      const columns = Math.max(...rows.map(row => row.length))
      writer.lines(
        [toRow(head, columns), `|${' --- |'.repeat(columns)}`, ...rows.slice(1).map(row => toRow(row, columns))].join(
          '\n',
        ),
      )
    } else {
      for (const cell of rows.flat()) {
        if (cell !== '') writer.lines(cell)
        writer.break(1)
      }
    }
    writer.break(2)
  }
}

function toRow(cells: readonly string[], columns: number): string {
  const texts = Array.from({ length: columns }, (_, index) => (cells[index] ?? '').replaceAll('|', '\\|'))
  return `| ${texts.join(' | ')} |`
}
