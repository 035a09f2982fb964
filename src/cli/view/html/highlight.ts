import { basename, extname } from 'node:path/posix'
import hljs from 'highlight.js/lib/common'
import { escapeHtml, Html, visibleText } from './html.js'

const MAX_LENGTH = 200_000
const MAX_LINE_LENGTH = 2_000

/** Languages of files without a telling extension. */
const BY_NAME = new Map([
  ['Makefile', 'makefile'],
  ['Gemfile', 'ruby'],
  ['Rakefile', 'ruby'],
])

/** Names and aliases. The library itself stumbles over a name such as `constructor`. */
const LANGUAGES = new Set(hljs.listLanguages().flatMap(name => [name, ...(hljs.getLanguage(name)?.aliases ?? [])]))

/** The lines of a text as HTML, highlighted by the language of the path; plain if there is none or the text is long. */
export function highlightLines(lines: readonly string[], path: string): Html[] {
  const name = basename(path.replaceAll('\\', '/'))
  const language = BY_NAME.get(name) ?? extname(name).slice(1).toLowerCase()
  const length = lines.reduce((sum, line) => sum + line.length, 0)
  const isPlain =
    !LANGUAGES.has(language) ||
    length > MAX_LENGTH ||
    lines.some(line => line.length > MAX_LINE_LENGTH || /[\r\n]/.test(line))
  if (isPlain) return lines.map(line => new Html(escapeHtml(line)))
  const code = lines.map(visibleText).join('\n')
  return splitLines(hljs.highlight(code, { language, ignoreIllegals: true }).value)
}

/** A block of code as HTML, by the name of its language. */
export function highlightCode(code: string, language: string): Html {
  if (!LANGUAGES.has(language) || code.length > MAX_LENGTH) return new Html(escapeHtml(code))
  return new Html(hljs.highlight(visibleText(code), { language, ignoreIllegals: true }).value)
}

/** Each line closes the spans that are open at its end, and the next opens them again. */
function splitLines(highlighted: string): Html[] {
  const open: string[] = []
  return highlighted.split('\n').map(line => {
    const start = open.join('')
    for (const [tag] of line.matchAll(/<span [^>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop()
      else open.push(tag)
    }
    return new Html(`${start}${line}${'</span>'.repeat(open.length)}`)
  })
}
