import { AnsiUp } from 'ansi_up'
import { Html, visibleText } from './html.js'

/** Colours and weights; then other control sequences and strings, also when they are cut off; then single escapes. */
const SGR = '(\\x1b\\[[0-9;]*m)'
const CSI = '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?'
const CONTROL_STRING = '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x9c\\r\\n]*(?:\\x07|\\x1b\\\\|\\x9c)?'
const SHORT_ESCAPE = '\\x1b[ -/]*[0-~]?'
const TOKEN = new RegExp(`${SGR}|${CONTROL_STRING}|${CSI}|${SHORT_ESCAPE}`, 'g')

/** Terminal output as HTML with its colours: of each line what was written last, and no links. */
export function ansiToHtml(output: string): Html {
  const ansi = new AnsiUp()
  ansi.use_classes = true
  ansi.url_allowlist = {}
  const screen = output
    .split('\n')
    .map(line => colouredText(lastWritten(line)))
    .join('\n')
  return new Html(ansi.ansi_to_html(`${screen}\x1b[0m`))
}

// What a progress bar wrote over is gone, but its colours go on.
function lastWritten(line: string): string {
  const written = line.replace(/\r+$/, '')
  const start = written.lastIndexOf('\r') + 1
  if (start === 0) return written
  const colours = [...written.slice(0, start).matchAll(TOKEN)].map(([, sgr]) => sgr ?? '')
  return colours.join('') + written.slice(start)
}

/** The text with nothing of its escape sequences but colours; other control characters are visible. */
function colouredText(line: string): string {
  let text = ''
  let at = 0
  for (const token of line.matchAll(TOKEN)) {
    text += visibleText(line.slice(at, token.index)) + (token[1] ?? '')
    at = token.index + token[0].length
  }
  return text + visibleText(line.slice(at))
}
