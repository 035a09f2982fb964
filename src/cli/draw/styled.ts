import { createColors } from 'picocolors'
import { visibleControls } from '../../cards/index.js'

export type Style = 'plain' | 'dim' | 'bold' | 'add' | 'del' | 'ok' | 'fail' | 'running' | 'accent'

export interface Span {
  text: string
  style: Style
}

/** One printed line: text in styles, without any escape. */
export type Line = Span[]

export function span(text: string, style: Style = 'plain'): Span {
  return { text, style }
}

/** Lines as text for a terminal, in which no control character of a transcript acts; without colour when `colour` is false. */
export function toAnsi(lines: readonly Line[], colour: boolean): string {
  const colors = createColors(colour)
  const paint: Record<Style, (text: string) => string> = {
    plain: text => text,
    dim: colors.dim,
    bold: colors.bold,
    add: colors.green,
    del: colors.red,
    ok: colors.green,
    fail: colors.red,
    running: colors.yellow,
    accent: colors.cyan,
  }
  const draw = ({ text, style }: Span) => (text ? paint[style](visibleControls(text, { keepNewlines: true })) : '')
  return lines.map(line => `${line.map(draw).join('')}\n`).join('')
}
