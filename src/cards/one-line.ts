import { toWellFormed } from './text-bytes.js'
import { visibleControls } from './visible-controls.js'

/**
 * `text` on one line of at most `max` characters, for a title (B39): blanks at its ends dropped, inner newlines shown as `⏎`,
 * controls made visible, a cut marked by `…`. Empty if there is nothing but blanks.
 */
export function oneLine(text: string, max: number): string {
  // Making visible halves a text at most (CRLF), so this start is always enough to fill the line.
  const start = text.trim().slice(0, 2 * max + 2)
  return cutText(visibleControls(start.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')), max)
}

/** `text`, or its start with `…` for the rest, in at most `max` UTF-16 units; never cut inside a code point. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return toWellFormed(text)
  if (max < 1) return ''
  const last = text.codePointAt(max - 2) ?? 0
  return `${toWellFormed(text.slice(0, last > 0xffff ? max - 2 : max - 1))}…`
}
