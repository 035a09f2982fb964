import { cutText, type ToolKind, visibleControls } from '../../cards/index.js'
import { type TitlePart, toMarkdownSafe } from './markdown-safe.js'
import type { PathSpace } from './path-space.js'
import { relativizeTitle } from './relativize.js'

const MAX_TITLE_LENGTH = 200
/** A title's text past this is never looked at. */
const MAX_SCANNED_LENGTH = 4096

export interface TitleInput {
  /** Plain text of a view, with whatever path the tool got. */
  title: string
  /** The tool's name: for a title without any visible text. */
  name: string
  kind: ToolKind
  /** Every path of the card: locations, diffs, and directories that are no location. */
  paths: readonly string[]
  space: PathSpace
}

/** The title of a generic or diff card on the wire: one line, at most 200 characters, never empty, paths relative. */
export function toWireTitle(input: TitleInput): string {
  const plain = input.title.slice(0, MAX_SCANNED_LENGTH).trim()
  const parts = relativizeTitle(input.space, plain, input.paths)
    .map(part => ({ ...part, text: visibleControls(part.text) }))
    .filter(part => part.text !== '')
  const isMarkdown = input.kind !== 'execute' && input.kind !== 'edit'
  const title = isMarkdown ? toBoundedMarkdown(parts) : cutText(joinParts(parts), MAX_TITLE_LENGTH)
  if (title !== '') return title
  return input.name.trim() === '' ? 'tool' : toWireTitle({ ...input, title: input.name, paths: [] })
}

export interface CommandTitle {
  title: string
  /** Cut or made visible: the title is not the command, which then stands exact in rawInput only. */
  altered: boolean
}

/** The title of a terminal card: the command, which keeps its lines. */
export function toCommandTitle(command: string, name: string): CommandTitle {
  const plain = command.replaceAll('\r\n', '\n')
  if (plain.trim() === '') return { title: toWireName(name), altered: false }
  const title = cutText(visibleControls(plain.slice(0, MAX_SCANNED_LENGTH), { keepNewlines: true }), MAX_TITLE_LENGTH)
  return { title, altered: title !== plain }
}

function toWireName(name: string): string {
  return cutText(visibleControls(name.trim()), MAX_TITLE_LENGTH) || 'tool'
}

// The cut is made before the code spans, for half a span would swallow the rest of the line.
function toBoundedMarkdown(parts: readonly TitlePart[]): string {
  const whole = joinParts(parts)
  let limit = MAX_TITLE_LENGTH
  for (;;) {
    const title = toMarkdownSafe(whole.length <= limit ? parts : cutParts(parts, limit))
    if (title.length <= MAX_TITLE_LENGTH) return title
    limit -= Math.max(1, title.length - MAX_TITLE_LENGTH)
    if (limit < 1) return '…'
  }
}

function cutParts(parts: readonly TitlePart[], limit: number): TitlePart[] {
  const kept: TitlePart[] = []
  let room = limit
  for (const part of parts) {
    if (part.text.length >= room) return [...kept, { ...part, text: cutText(`${part.text}…`, room) }]
    kept.push(part)
    room -= part.text.length
  }
  return kept
}

function joinParts(parts: readonly TitlePart[]): string {
  return parts.map(part => part.text).join('')
}
