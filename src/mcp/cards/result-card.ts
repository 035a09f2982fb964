import {
  byteLength,
  type FileDiff,
  headAndTail,
  isRecord,
  isToolResultView,
  type JsonValue,
  type Location,
  oneLine,
  type ToolResultView,
  toLf,
  toWellFormed,
} from '../../cards/index.js'
import { toLocalPath } from './local-path.js'

/** The key of `_meta` under which a server says what a card shows. */
export const CARD_KEY = 'deckhand/card'

const MAX_DIFFS = 200
const MAX_LOCATIONS = 200
const MAX_DIFF_BYTES = 512 * 1024
const MAX_OUTPUT_BYTES = 256 * 1024
const MAX_TITLE_CHARS = 120

type Given = Record<string, unknown>

/**
 * The card that a server's result asks for, in our words, or why there is none. The server's word is all that there is: a
 * card draws what it claims, and nothing else follows from it.
 */
export function parseResultCard(given: unknown, windows: boolean): { card: ToolResultView } | { problem: string } {
  if (!isRecord(given)) return { problem: `${CARD_KEY} is no object` }
  const title = typeof given.title === 'string' ? oneLine(given.title, MAX_TITLE_CHARS) : ''
  const view = toView(given, windows)
  if (typeof view === 'string') return { problem: `${CARD_KEY}: ${view}` }
  const card = title === '' ? view : { ...view, title }
  return isToolResultView(card) ? { card } : { problem: `${CARD_KEY}: it is malformed` }
}

/** The card that a result's `meta` carries. */
export function cardOfMeta(meta: JsonValue | undefined): ToolResultView | undefined {
  const card = isRecord(meta) && isRecord(meta.mcp) ? meta.mcp.card : undefined
  return isToolResultView(card) ? card : undefined
}

function toView(given: Given, windows: boolean): ToolResultView | string {
  switch (given.type) {
    case 'diff':
      return toDiffView(given.diffs, windows)
    case 'terminal':
      return toTerminalView(given, windows)
    case 'generic': {
      const locations = toLocations(given.locations, windows)
      return { card: 'generic', ...(locations.length > 0 ? { locations } : {}) }
    }
    default:
      return 'its type is none of diff, terminal and generic'
  }
}

function toDiffView(given: unknown, windows: boolean): ToolResultView | string {
  if (!Array.isArray(given) || given.length === 0) return 'it has no diffs'
  if (given.length > MAX_DIFFS) return `it has more than ${MAX_DIFFS} diffs`
  const diffs: FileDiff[] = []
  let bytes = 0
  for (const entry of given) {
    const diff = isRecord(entry) ? toDiff(entry, windows) : 'a diff is no object'
    if (typeof diff === 'string') return diff
    bytes += byteLength(diff.newText) + byteLength(diff.oldText ?? '')
    if (bytes > MAX_DIFF_BYTES) return 'its diffs are too large'
    if (diff.oldText !== diff.newText) diffs.push(diff)
  }
  return diffs.length === 0 ? 'its diffs change nothing' : { card: 'diff', diffs }
}

function toDiff({ path: given, oldText, newText, line }: Given, windows: boolean): FileDiff | string {
  const path = toLocalPath(given, windows)
  if (path === undefined) return 'the path of a diff is none of this machine'
  if (typeof newText !== 'string') return 'the newText of a diff is no text'
  if (oldText !== null && oldText !== undefined && typeof oldText !== 'string')
    return 'the oldText of a diff is no text'
  return {
    path,
    oldText: typeof oldText === 'string' ? toText(oldText) : null,
    newText: toText(newText),
    ...(isLine(line) ? { line } : {}),
  }
}

function toTerminalView(
  { output, exitCode, signal, locations: named }: Given,
  windows: boolean,
): ToolResultView | string {
  if (output !== undefined && typeof output !== 'string') return 'its output is no text'
  const locations = toLocations(named, windows)
  return {
    card: 'terminal',
    output: headAndTail(output ?? '', MAX_OUTPUT_BYTES),
    ...(Number.isSafeInteger(exitCode) && (exitCode as number) >= 0 ? { exitCode: exitCode as number } : {}),
    ...(typeof signal === 'string' && /^SIG[A-Z0-9]{1,12}$/.test(signal) ? { signal } : {}),
    ...(locations.length > 0 ? { locations } : {}),
  }
}

function toLocations(given: unknown, windows: boolean): Location[] {
  if (!Array.isArray(given)) return []
  return given.slice(0, MAX_LOCATIONS).flatMap(entry => {
    const path = isRecord(entry) ? toLocalPath(entry.path, windows) : undefined
    if (path === undefined) return []
    return [{ path, ...(isLine(entry.line) ? { line: entry.line } : {}) }]
  })
}

function toText(text: string): string {
  return toWellFormed(toLf(text))
}

function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1
}
