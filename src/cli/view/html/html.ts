import { visibleControls } from '../../../cards/index.js'

/** Text that is HTML already. Everything else is escaped where it is put in. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[] | undefined | false

/** A piece of HTML: strings among the values are escaped and their control characters made visible. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.reduce((text, part, index) => text + toHtml(values[index - 1]) + part))
}

/** Text as HTML, in an element or a quoted attribute: nothing in it is markup, hides or reorders. */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"'`]/g, character => `&#${character.charCodeAt(0)};`)
}

/** Nearly all text there is. */
const PLAIN = /^[\x20-\x7e\n\t]*$/

/** Text whose control characters are visible, newlines and tabs apart. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .split('\t')
    .map(part => visibleControls(part, { keepNewlines: true }))
    .join('\t')
}

function toHtml(value: Value): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(item => item.text).join('')
  return escapeHtml(String(value))
}
