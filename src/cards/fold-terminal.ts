import { toWellFormed } from './text-bytes.js'

/** CSI, then OSC, DCS and the other strings (never past the line's end), then short escapes; each may be cut off. */
const CSI = '(?:\\x1b\\[|\\x9b)([0-?]*)[ -/]*([@-~]?)'
const CONTROL_STRING = '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x9c\\r\\n]*(?:\\x07|\\x1b\\\\|\\x9c)?'
const SHORT_ESCAPE = '\\x1b[ -/]*[0-~]?'
const CONTROL = '\\r\\n|[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f]'
const TOKEN = new RegExp(`${CSI}|${CONTROL_STRING}|${SHORT_ESCAPE}|${CONTROL}`, 'g')

/**
 * Terminal output as plain text: what a terminal would show of each line in the end (B30). Escape sequences and control codes
 * go; `\r`, backspace, cursor moves within the line and erase-in-line overwrite as they do on a screen, one code point a cell.
 * Blanks at the end of an overwritten line go too; tabs and newlines stay, CRLF becomes LF. Linear in the length.
 */
export function foldTerminal(text: string): string {
  const line = new TerminalLine()
  let folded = ''
  let at = 0
  for (const token of text.matchAll(TOKEN)) {
    if (token.index > at) line.write(text.slice(at, token.index))
    at = token.index + token[0].length
    if (token[0] === '\n' || token[0] === '\r\n') folded += `${line.take()}\n`
    else if (token[0] === '\r') line.moveTo(0)
    else if (token[0] === '\b') line.moveBy(-1)
    else if (token[2]) applyCsi(line, token[1] ?? '', token[2])
  }
  line.write(text.slice(at))
  return toWellFormed(folded + line.take())
}

function applyCsi(line: TerminalLine, parameters: string, final: string): void {
  const given = Number.parseInt(parameters, 10)
  const count = Math.max(1, Number.isNaN(given) ? 1 : given)
  if (final === 'C') line.moveBy(count)
  else if (final === 'D') line.moveBy(-count)
  else if (final === 'G') line.moveTo(count - 1)
  else if (final === 'K') line.erase(Number.isNaN(given) ? 0 : given)
}

/** One line of a screen. It stays a string until something is written over it. */
class TerminalLine {
  #plain = ''
  #cells: string[] | undefined
  /** Undefined: at the end of the line. */
  #cursor: number | undefined

  write(text: string): void {
    if (text === '') return
    if (this.#cursor === undefined && this.#cells === undefined) {
      this.#plain += text
      return
    }
    const cells = this.#toCells()
    let cursor = this.#cursor ?? cells.length
    for (const character of text) cells[cursor++] = character
    this.#cursor = cursor
  }

  /** The cursor never leaves the line, so that no sequence can make text longer than it was. */
  moveTo(column: number): void {
    if (column <= 0) this.#cursor = 0
    else this.#cursor = Math.min(column, this.#toCells().length)
  }

  moveBy(columns: number): void {
    if (this.#cursor === undefined && columns > 0) return
    this.moveTo((this.#cursor ?? this.#toCells().length) + columns)
  }

  /** 0: from the cursor on. 2: the whole line, which then begins anew, as programs go back to its start in any case. */
  erase(mode: number): void {
    if (mode === 2) this.#clear()
    else if (mode === 0 && this.#cursor !== undefined) this.#toCells().length = this.#cursor
  }

  /** The line's text; the next line begins. */
  take(): string {
    const text = this.#cells === undefined ? this.#plain : trimBlanks(this.#cells.join(''))
    this.#clear()
    return text
  }

  #clear(): void {
    this.#plain = ''
    this.#cells = undefined
    this.#cursor = undefined
  }

  #toCells(): string[] {
    this.#cells ??= Array.from(this.#plain)
    return this.#cells
  }
}

function trimBlanks(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--
  return text.slice(0, end)
}
