import { posix, win32 } from 'node:path'
import { serializedBytes } from '../wire/serialized-size.js'
import { MAX_COMMAND_BYTES, MAX_INPUT_STRING_BYTES, MAX_MEDIA_BYTES } from '../wire/wire-limits.js'
import { type Fields, type Finding, toItems, toText } from './check-frame.js'

type Found = Pick<Finding, 'rule' | 'text'>

const CARD_FIELDS = ['title', 'name', 'kind', 'status', 'content', 'locations', 'rawInput', 'rawOutput', '_meta']
const MAX_MEDIA_LENGTH = Math.ceil(MAX_MEDIA_BYTES / 3) * 4

/** The rules on the fields of one tool_call, tool_call_update or call of a permission request. */
export function checkFields(call: Fields): Found[] {
  const found: Found[] = []
  for (const field of CARD_FIELDS) {
    if (call[field] === null) found.push({ rule: 6, text: `${field} is null, which means unchanged: leave it out` })
  }
  checkLocations(call.locations, found)
  for (const item of toItems(call.content)) checkItem(item, found)
  checkInput(call.rawInput, call.kind, found)
  const cwd = toText((call._meta as { terminal_info?: Fields } | undefined)?.terminal_info?.cwd)
  if (cwd !== undefined) checkPath(cwd, 'terminal_info.cwd', found)
  return found
}

/** Rule 8 for one path. */
export function checkPath(path: unknown, where: string, found: Found[]): void {
  const isAbsolute = typeof path === 'string' && (posix.isAbsolute(path) || isWindowsPath(path))
  if (!isAbsolute) found.push({ rule: 8, text: `${where} is not absolute: ${JSON.stringify(path)}` })
}

/** Rule 12 for the media of one content block. */
export function checkMedia(block: unknown, found: Found[]): void {
  const { type, data, resource } = (block ?? {}) as { type?: unknown; data?: unknown; resource?: Fields }
  const media = type === 'resource' ? resource?.blob : data
  if (typeof media === 'string' && media.length > MAX_MEDIA_LENGTH)
    found.push({ rule: 12, text: `${String(type)} data of ${media.length} characters: over 700 KB it must be a text` })
}

function checkLocations(locations: unknown, found: Found[]): void {
  const seen = new Set<unknown>()
  for (const { path, line } of toItems(locations)) {
    if (path === '') found.push({ rule: 9, text: 'a location without a path' })
    else checkPath(path, 'a location', found)
    if (typeof path === 'string' && /\*|.[\\/]$/.test(path))
      found.push({ rule: 9, text: `a location that is a glob or a directory: ${path}` })
    if (seen.has(path)) found.push({ rule: 9, text: `two locations for one file: ${String(path)}` })
    seen.add(path)
    if (line === undefined) continue
    if (!Number.isInteger(line) || (line as number) < 1)
      found.push({ rule: 8, text: `line ${String(line)} is not 1-based: leave it out if it is not known` })
  }
}

function checkItem(item: Fields, found: Found[]): void {
  if (item.type === 'content') checkMedia(item.content, found)
  if (item.type !== 'diff') return
  const { path, oldText, newText } = item
  checkPath(path, 'a diff', found)
  if (!('oldText' in item)) found.push({ rule: 10, text: `a diff of ${String(path)} without oldText` })
  if (oldText === newText) found.push({ rule: 10, text: `a diff of ${String(path)} that changes nothing` })
  if (hasCr(oldText) || hasCr(newText)) found.push({ rule: 10, text: `a diff of ${String(path)} with CR in it` })
}

function checkInput(input: unknown, kind: unknown, found: Found[]): void {
  if (input === undefined || input === null) return
  const visit = (value: unknown, key: string, depth: number): void => {
    if (typeof value === 'string') {
      const limit =
        key === 'command' && (kind === 'execute' || kind === undefined) ? MAX_COMMAND_BYTES : MAX_INPUT_STRING_BYTES
      if (value.length * 3 > limit && Buffer.byteLength(value) > limit)
        found.push({
          rule: 12,
          text: `rawInput ${key} of ${serializedBytes(value)} bytes: a string over ${limit} is cut`,
        })
    } else if (typeof value === 'object' && value !== null && depth < 32) {
      for (const [name, inner] of Object.entries(value)) visit(inner, name, depth + 1)
    }
  }
  visit(input, 'itself', 0)
}

function isWindowsPath(path: string): boolean {
  return win32.isAbsolute(path) && (/^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\'))
}

function hasCr(text: unknown): boolean {
  return typeof text === 'string' && text.includes('\r')
}
