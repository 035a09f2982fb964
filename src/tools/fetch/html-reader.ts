import { fence } from '../../cards/index.js'
import { BREAKS, CODE, MARKS, SKIPPED } from './html-elements.js'
import { HtmlTable } from './html-table.js'
import { MarkdownWriter } from './markdown-writer.js'

/** Of elements in each other; no page that somebody wrote has as many. */
const MAX_DEPTH = 1000
/** The same for the parser, which keeps what a page forgot to close. */
const MAX_PARSER_DEPTH = 20_000
const MAX_TABLES = 8

type Attributes = Readonly<Record<string, string>>

/** Writes Markdown while a parser reads HTML. Linear in the length of the page, whatever is in it. */
export class HtmlReader {
  readonly #page = new MarkdownWriter()
  readonly #tables: HtmlTable[] = []
  readonly #lists: { next: number | undefined; item?: number }[] = []
  /** What each open element does at its end; undefined for nothing. */
  readonly #ends: ((() => void) | undefined)[] = []
  /** Ends that are still to come. */
  #depth = 0
  #skipped = 0
  #base: URL
  #title = ''
  /** Of `pre`, `code` and `title`: their text is taken as it is. */
  #verbatim: { text: string } | undefined

  constructor(url: URL) {
    this.#base = url
  }

  get isTooDeep(): boolean {
    return this.#depth > MAX_DEPTH || this.#ends.length > MAX_PARSER_DEPTH
  }

  get length(): number {
    return this.#page.length + this.#tables.reduce((sum, table) => sum + (table.cell?.length ?? 0), 0)
  }

  get title(): string {
    return this.#title.replace(/\s+/g, ' ').trim()
  }

  finish(): string {
    while (this.#ends.length > 0) this.onclosetag()
    return this.#page.toString()
  }

  readonly ontext = (text: string): void => {
    if (this.#skipped > 0) return
    if (this.#verbatim) this.#verbatim.text += text
    else this.#writer.words(text)
  }

  readonly onopentag = (name: string, attributes: Attributes): void => {
    if (this.#skipped > 0 || SKIPPED.has(name) || 'hidden' in attributes) {
      this.#skipped += 1
      this.#push(() => {
        this.#skipped -= 1
      })
      return
    }
    this.#push(this.#verbatim ? this.#openInVerbatim(name) : this.#open(name, attributes))
  }

  readonly onclosetag = (): void => {
    this.#run(this.#ends.pop())
  }

  #push(end: (() => void) | undefined): void {
    this.#ends.push(end)
    if (end) this.#depth += 1
  }

  #run(end: (() => void) | undefined): void {
    if (!end) return
    this.#depth -= 1
    end()
  }

  /** Ends an item and all in it: the next one has begun, and the page need not have closed it. */
  #endItem(item: number): void {
    for (let at = this.#ends.length - 1; at >= item; at--) {
      const end = this.#ends[at]
      this.#ends[at] = undefined
      this.#run(end)
    }
  }

  get #writer(): MarkdownWriter {
    return this.#tables.at(-1)?.cell ?? this.#page
  }

  #openInVerbatim(name: string): undefined {
    if (name === 'br' && this.#verbatim) this.#verbatim.text += '\n'
  }

  #open(name: string, attributes: Attributes): (() => void) | undefined {
    const writer = this.#writer
    // A list in an item goes on with the item's lines.
    const breaks = (name === 'ul' || name === 'ol') && this.#lists.length > 0 ? 1 : BREAKS.get(name)
    if (breaks) writer.break(breaks)
    const end = this.#openKind(name, attributes, writer)
    if (!breaks) return end
    return () => {
      end?.()
      writer.break(breaks)
    }
  }

  #openKind(name: string, attributes: Attributes, writer: MarkdownWriter): (() => void) | undefined {
    const mark = MARKS.get(name)
    if (mark) return openMark(writer, mark, mark)
    if (/^h[1-6]$/.test(name)) return openMark(writer, `${'#'.repeat(Number(name[1]))} `, '')
    if (CODE.has(name)) return this.#takeVerbatim(code => code.trim() !== '' && writer.raw(toCodeSpan(code)))
    switch (name) {
      case 'title':
        return this.#takeVerbatim(title => {
          this.#title ||= title
        })
      case 'pre':
        writer.break(2)
        return this.#takeVerbatim(text => {
          writer.lines(fence(text.replace(/^\n/, '').replace(/\s+$/, '').replaceAll('\u00a0', ' ')))
          writer.break(2)
        })
      case 'base':
        this.#base = toUrl(attributes.href, this.#base) ?? this.#base
        return undefined
      case 'br':
        writer.break(1)
        return undefined
      case 'hr':
        writer.raw('---')
        return undefined
      case 'a': {
        const target = toUrl(attributes.href, this.#base)
        return target && openMark(writer, '[', `](${target.href})`)
      }
      case 'img':
        this.#writeImage(attributes, writer)
        return undefined
      case 'blockquote':
        return openPrefix(writer, '> ')
      case 'ul':
      case 'ol':
        this.#lists.push({ next: name === 'ol' ? Number.parseInt(attributes.start ?? '1', 10) || 1 : undefined })
        return () => this.#lists.pop()
      case 'li': {
        const list = this.#lists.at(-1)
        if (list?.item !== undefined) this.#endItem(list.item)
        if (list) list.item = this.#ends.length
        const bullet = list?.next === undefined ? '- ' : `${list.next++}. `
        return openPrefix(writer, ' '.repeat(bullet.length), bullet)
      }
      default:
        return this.#openTablePart(name, writer)
    }
  }

  #openTablePart(name: string, writer: MarkdownWriter): (() => void) | undefined {
    const table = this.#tables.at(-1)
    if (name === 'table' && this.#tables.length < MAX_TABLES) {
      const opened = new HtmlTable()
      this.#tables.push(opened)
      return () => {
        this.#tables.length = this.#tables.indexOf(opened)
        opened.writeTo(writer)
      }
    }
    if (name === 'tr') table?.openRow()
    if ((name === 'td' || name === 'th') && table) {
      table.openCell()
      return () => table.closeCell()
    }
    return undefined
  }

  #writeImage({ alt = '', src }: Attributes, writer: MarkdownWriter): void {
    const words = alt.replace(/\s+/g, ' ').trim()
    const target = toUrl(src, this.#base)
    if (words !== '') writer.raw(target ? `![${words}](${target.href})` : words)
  }

  #takeVerbatim(use: (text: string) => void): () => void {
    const taken = { text: '' }
    this.#verbatim = taken
    return () => {
      this.#verbatim = undefined
      use(taken.text)
    }
  }
}

function openMark(writer: MarkdownWriter, before: string, after: string): () => void {
  writer.openMark(before)
  return () => writer.closeMark(after)
}

function openPrefix(writer: MarkdownWriter, text: string, first?: string): () => void {
  writer.openPrefix(text, first)
  return () => writer.closePrefix()
}

function toCodeSpan(code: string): string {
  const text = code.replace(/\s+/g, ' ').trim()
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const ticks = '`'.repeat(longest + 1)
  return longest === 0 ? `${ticks}${text}${ticks}` : `${ticks} ${text} ${ticks}`
}

/** Where a link leads, for a reader elsewhere; undefined for a place on the page, a script or data. */
function toUrl(address: string | undefined, base: URL): URL | undefined {
  if (address === undefined || address.startsWith('#') || !URL.canParse(address, base.href)) return undefined
  const url = new URL(address, base)
  return /^(https?|mailto|ftp):$/.test(url.protocol) ? url : undefined
}
