import { quote } from 'shlex'
import type { ContentBlock } from '../../cards/index.js'
import { parseMention, toMentionUri } from '../mentions.js'

/**
 * The text of a prompt that can hold commands, with a marker in the place of each mention. Markers keep a path whole while
 * the text around it is taken apart; `plain`, `shell` and `json` put the paths in at the end.
 */
export interface PromptSource {
  /** The first that is not blank, `start`, has lost the blanks before it. */
  lines: string[]
  start: number
  /** Lines from this one on come from text after a mention: arguments, never commands. */
  commandLines: number
  /** The URI of a mention that is no file, if there is one. */
  foreign?: string
  plain(text: string): string
  /** Undefined if a path that needs quotes stands where they would not hold. */
  shell(text: string): string | undefined
  /** Within a JSON string the path is escaped; where a value is missing it becomes one. */
  json(text: string): string[]
}

/** Undefined if the prompt has no text. A resource, a link and any text but the first are never commands (J1). */
export function toPromptSource(blocks: readonly ContentBlock[]): PromptSource | undefined {
  const first = blocks.findIndex(block => block.type === 'text' && block.text.trim() !== '')
  const head = blocks[first]
  if (head?.type !== 'text') return undefined
  const marker = unusedMarker(blocks)
  const paths: string[] = []
  let foreign: string | undefined
  let text = withNewlines(head.text)
  const commandLines = text.split('\n').length
  let afterMention = false
  for (const block of blocks.slice(first + 1)) {
    if (block.type === 'text') {
      // Text that follows text was typed as nothing of the command: some clients send context this way.
      if (!afterMention) break
      text = joined(text, withNewlines(block.text), /^[\p{L}\p{N}_-]/u.test(block.text) && text.endsWith(marker))
      afterMention = false
      continue
    }
    afterMention = true
    const uri = toMentionUri(block)
    if (uri === undefined) continue
    const path = /^https?:/i.test(uri) ? uri : parseMention(uri)?.path
    if (path === undefined) foreign ??= uri
    const touches = text.endsWith(marker) || /[\p{L}\p{N}_.-]$/u.test(text.slice(-2))
    text = joined(text, `${marker}${paths.length}${marker}`, touches)
    paths.push(path ?? uri)
  }
  const pattern = new RegExp(`${marker}(\\d+)${marker}`, 'g')
  const put = (where: string, as: (path: string) => string) =>
    paths.length === 0 ? where : where.replace(pattern, (_, index: string) => as(paths[Number(index)] ?? ''))
  const lines = text.split('\n')
  const start = lines.findIndex(line => line.trim() !== '')
  lines[start] = lines[start]?.trimStart() ?? ''
  return {
    lines,
    start,
    commandLines,
    ...(foreign === undefined ? {} : { foreign }),
    plain: where => put(where, path => path),
    shell: where => {
      if (paths.length === 0) return where
      const unsafe = [...where.matchAll(pattern)].filter(({ 1: index }) => needsQuotes(paths[Number(index)] ?? ''))
      // There a quoted path would lose its quotes, and a file name such as `$(x)` would run; a newline ends even a comment.
      const lost =
        paths.some(path => path.includes('\n')) || hasQuoted(where, new Set(unsafe.map(({ index }) => index)))
      return lost ? undefined : put(where, quote)
    },
    json: where => [put(where, path => JSON.stringify(path).slice(1, -1)), put(where, path => JSON.stringify(path))],
  }
}

/** Clients that trim their texts take the blank before a mention with it. */
function joined(left: string, right: string, apart: boolean): string {
  return apart ? `${left} ${right}` : left + right
}

function withNewlines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** A run of a private-use character that is longer than any in the prompt. */
function unusedMarker(blocks: readonly ContentBlock[]): string {
  const runs = blocks.flatMap(block => (block.type === 'text' ? (block.text.match(/\ue000+/g) ?? []) : []))
  return '\ue000'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1)
}

function needsQuotes(path: string): boolean {
  return quote(path) !== path
}

/** True if a shell meets one of these places within quotes, backticks or perhaps a here-document, or after a backslash. */
function hasQuoted(script: string, places: ReadonlySet<number>): boolean {
  if (places.size === 0) return false
  const hereDocument = script.search(/(?<!<)<<(?!<)/)
  let open = ''
  for (let at = 0; at < script.length; at++) {
    const character = script.charAt(at)
    if (places.has(at) && (open !== '' || (hereDocument !== -1 && hereDocument < at))) return true
    if (character === '\\' && open !== "'") {
      at++
      if (places.has(at)) return true
    } else if (open === '' ? /["'`]/.test(character) : character === open) open = open === '' ? character : ''
  }
  return false
}
