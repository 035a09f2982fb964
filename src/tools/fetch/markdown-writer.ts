const MAX_PREFIXES = 16

interface Prefix {
  /** Instead of `text` on the first line: the bullet of a list's item. */
  first?: string | undefined
  text: string
  /** A line of it has been written. */
  isStarted: boolean
}

interface Mark {
  text: string
  isWritten: boolean
}

/** Writes Markdown from words, marks around them and breaks between them; nothing is written for what stays empty. */
export class MarkdownWriter {
  readonly #parts: string[] = []
  readonly #prefixes: Prefix[] = []
  readonly #marks: Mark[] = []
  #needsSpace = false
  #breaks: 0 | 1 | 2 = 0
  #isEmpty = true
  #length = 0

  /** In UTF-16 units. */
  get length(): number {
    return this.#length
  }

  /** Text of which each run of white space counts as one blank. */
  words(text: string): void {
    const words = text.replace(/\s+/g, ' ')
    if (words.startsWith(' ')) this.#needsSpace = true
    const inner = words.trim()
    if (inner === '') return
    this.raw(inner)
    this.#needsSpace = words.endsWith(' ')
  }

  /** Text as it is, without line breaks. */
  raw(text: string): void {
    this.#startText()
    this.#push(text)
  }

  /** Lines as they are. */
  lines(text: string): void {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) this.#breaks = 1
      this.#startText()
      this.#push(line)
    }
  }

  /** What follows stands on a line of its own, or after an empty one. */
  break(count: 1 | 2): void {
    this.#needsSpace = false
    if (count > this.#breaks) this.#breaks = count
  }

  /** `text` goes in front of the words that follow, if there are some. */
  openMark(text: string): void {
    this.#marks.push({ text, isWritten: false })
  }

  /** `text` goes behind the words since the mark was opened; a blank after them stays outside. */
  closeMark(text: string): void {
    if (this.#marks.pop()?.isWritten) this.#push(text)
  }

  openPrefix(text: string, first?: string): void {
    this.#prefixes.push({ text, first, isStarted: false })
  }

  closePrefix(): void {
    this.#prefixes.pop()
  }

  toString(): string {
    return this.#parts.join('').trim()
  }

  #startText(): void {
    if (this.#breaks > 0 || this.#isEmpty) this.#startLine()
    else if (this.#needsSpace) this.#push(' ')
    this.#needsSpace = false
    for (const mark of this.#marks) {
      if (mark.isWritten) continue
      mark.isWritten = true
      this.#push(mark.text)
    }
  }

  #startLine(): void {
    // Deeper than anybody reads; the bound keeps each line's start short.
    const prefixes = this.#prefixes.slice(0, MAX_PREFIXES)
    if (!this.#isEmpty) {
      if (this.#breaks === 2) this.#push(`\n${toText(prefixes.filter(({ isStarted }) => isStarted)).trimEnd()}`)
      this.#push('\n')
    }
    this.#push(prefixes.map(({ first, text }) => first ?? text).join(''))
    for (const prefix of prefixes) {
      prefix.first = undefined
      prefix.isStarted = true
    }
    this.#breaks = 0
    this.#isEmpty = false
  }

  #push(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }
}

function toText(prefixes: readonly Prefix[]): string {
  return prefixes.map(({ text }) => text).join('')
}
