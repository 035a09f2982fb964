import { cutText } from '../../cards/index.js'

/** Columns of a drawing. */
export const WIDTH = 96

const TAB_COLUMNS = 4

/** A line within a width, with blanks for its tabs, which are wider in one place than in another. */
export function fitLine(line: string, width = WIDTH): string {
  const [first = '', ...others] = line.split('\t')
  const even = others.reduce((text, piece) => {
    return text.padEnd(text.length + TAB_COLUMNS - (text.length % TAB_COLUMNS)) + piece
  }, first)
  return cutText(even, width)
}
