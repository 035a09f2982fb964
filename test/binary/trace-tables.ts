import { sep } from 'node:path'

/** The tables of a page, by the heading above each: its rows as cells, without the head. */
export function tablesOf(markdown: string): Map<string, string[][]> {
  const tables = new Map<string, string[][]>()
  for (const section of markdown.split(/^## /m).slice(1)) {
    const rows = [...section.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) => row.split('|').map(cell => cell.trim()))
    if (rows.length > 2) tables.set(section.split('\n')[0] ?? '', rows.slice(2))
  }
  return tables
}

/** Texts in backticks of a cell. */
export function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** A path of the table, such as `<state>/sessions/<id>.jsonl`, for the places of one machine. */
export class PathPattern {
  readonly #whole: RegExp
  readonly #folders: RegExp[]

  constructor(
    readonly text: string,
    places: Readonly<Record<string, string>>,
  ) {
    const parts = text.split('/').map(part => toSource(part, places))
    const join = (count: number) =>
      new RegExp(`^${parts.slice(0, count).join('/').replaceAll('(?:.+/)?/', '(?:.+/)?')}$`)
    this.#whole = join(parts.length)
    this.#folders = parts.map((_, index) => join(index)).slice(1)
  }

  matches(path: string): boolean {
    return this.#whole.test(toSlashes(path))
  }

  /** True for a folder on the way to it. */
  leadsThrough(path: string): boolean {
    return this.#folders.some(folder => folder.test(toSlashes(path)))
  }
}

function toSource(part: string, places: Readonly<Record<string, string>>): string {
  return part.replace(/<(\w+)>|[^<]+/g, (text, name?: string) => {
    if (name === undefined) return toLiteral(text)
    if (Object.hasOwn(places, name)) return toLiteral(toSlashes(places[name] ?? ''))
    if (name === 'file') return '.+'
    if (name === 'version') return '[\\w.-]+'
    return name === 'folder' ? '(?:.+/)?' : '[\\w-]*'
  })
}

function toLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function toSlashes(path: string): string {
  return path.split(sep).join('/')
}
