import { posix, win32 } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContentBlock } from '../cards/index.js'

/** A file or directory that a prompt refers to. Lines are 1-based and inclusive, first never over last. */
export interface Mention {
  /** Absolute, decoded, without a trailing separator. */
  path: string
  directory: boolean
  lines?: { first: number; last: number }
  symbol?: string
}

/** The URI a block refers to: a link, an embedded resource, or an image that names its file. */
export function toMentionUri(block: ContentBlock): string | undefined {
  switch (block.type) {
    case 'resource_link':
      return block.uri
    case 'resource':
      return block.resource.uri
    case 'image':
      return block.uri
    default:
      return undefined
  }
}

/**
 * The file behind a `file:` URI or a plain absolute path; undefined for anything else, `zed://` included, and for a URI
 * that no path can come from. `windows` is the platform whose paths are meant.
 */
export function parseMention(uri: string, windows = process.platform === 'win32'): Mention | undefined {
  const url = toFileUrl(uri, windows)
  if (url === undefined) return undefined
  const path = toPath(url, windows)
  if (path === undefined || path.includes('\0')) return undefined
  const lines = parseLines(url.hash)
  const symbol = url.searchParams.get('symbol')
  return {
    path: withoutTrailingSeparator(path, windows),
    directory: url.pathname.endsWith('/'),
    ...(lines ? { lines } : {}),
    ...(symbol ? { symbol } : {}),
  }
}

function toFileUrl(uri: string, windows: boolean): URL | undefined {
  const plain = windows ? /^(?:[a-z]:[\\/]|\\\\)/i.test(uri) : uri.startsWith('/')
  if (plain) return toUrl(encodePlain(uri, windows))
  if (!/^file:/i.test(uri)) return undefined
  // Some clients encode blanks and nothing else: a percent sign that begins no escape stands for itself (B74).
  return toUrl(uri.replace(/%(?![0-9a-f]{2})/gi, '%25'))
}

/** A path that is no URI: only a line range at its end is syntax, every other character belongs to the name. */
function encodePlain(path: string, windows: boolean): string {
  const at = path.search(/#L\d[^#]*$/i)
  const [name, range] = at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at)]
  const slashed = windows ? name.replaceAll('\\', '/') : name
  const encoded = slashed.replace(/[%?#\\\s]/g, character => encodeURIComponent(character))
  if (!windows) return `file://${encoded}${range}`
  return slashed.startsWith('//') ? `file:${encoded}${range}` : `file:///${encoded}${range}`
}

function toUrl(uri: string): URL | undefined {
  return URL.canParse(uri) ? new URL(uri) : undefined
}

function toPath(url: URL, windows: boolean): string | undefined {
  try {
    return fileURLToPath(url, { windows })
  } catch {
    // An encoded separator, a host on POSIX, a missing drive on Windows, bytes that are not UTF-8: no path of this platform.
    return undefined
  }
}

/** `#L10`, `#L10:20`, `#L10-20`, `#L10-L20`; a column (`L10C3`) is not needed and dropped. */
function parseLines(hash: string): Mention['lines'] {
  const match = /^#L(\d{1,9})(?:C\d+)?(?:[-:]L?(\d{1,9})(?:C\d+)?)?$/i.exec(hash)
  if (match === null) return undefined
  const one = Math.max(1, Number(match[1]))
  const other = Math.max(1, Number(match[2] ?? match[1]))
  return { first: Math.min(one, other), last: Math.max(one, other) }
}

function withoutTrailingSeparator(path: string, windows: boolean): string {
  const { root } = windows ? win32.parse(path) : posix.parse(path)
  let end = path.length
  while (end > root.length && (path[end - 1] === '/' || (windows && path[end - 1] === '\\'))) end--
  return path.slice(0, end)
}
