import { fence, type Location, type ToolCallView, type ToolResultView, text } from '../../cards/index.js'
import type { ToolResult } from '../../registry/index.js'
import { count } from './report.js'

interface TitleArgs {
  pattern: string
  path?: string
  glob?: string
}

/** Structured facts of a search, kept with its result. */
export type GrepMeta = {
  hits: number
  files: number
  /** There are more hits than are shown. */
  more: boolean
  locations: { path: string; line: number }[]
}

/** `Search "pattern" in src (*.ts)`. Nothing before the pattern is known. */
export function presentGrepCall(args: TitleArgs): ToolCallView | undefined {
  if (args.pattern === undefined) return undefined
  return {
    card: 'generic',
    kind: 'search',
    title: toTitle(args, [args.glob]),
    ...(args.path !== undefined && { paths: [args.path] }),
  }
}

/** The hits as a block that no editor reads as Markdown, and their files as locations. */
export function presentGrepResult(args: TitleArgs, result: ToolResult): ToolResultView | undefined {
  const [block] = result.content
  if (result.isError || block?.type !== 'text' || !isGrepMeta(result.meta)) return undefined
  const { hits, files, more, locations } = result.meta
  const found = hits === 0 ? 'no hits' : `${count(hits, 'hit')}${more ? ' and more' : ''} in ${count(files, 'file')}`
  return {
    card: 'generic',
    title: toTitle(args, [args.glob, found]),
    content: [text(fence(block.text))],
    ...(locations.length > 0 && { locations }),
  }
}

// Set off by blanks: a path is found in a title up to a segment's end.
function toTitle({ pattern, path }: TitleArgs, details: (string | undefined)[]): string {
  const known = details.filter(detail => detail !== undefined)
  const suffix = known.length === 0 ? '' : ` (${known.join(', ')})`
  return `Search "${pattern}"${path === undefined ? '' : ` in ${path}`}${suffix}`
}

function isGrepMeta(meta: unknown): meta is GrepMeta {
  if (typeof meta !== 'object' || meta === null) return false
  const { hits, files, more, locations } = meta as Record<string, unknown>
  const counted = typeof hits === 'number' && typeof files === 'number' && typeof more === 'boolean'
  return counted && Array.isArray(locations) && locations.every(isLocation)
}

function isLocation(value: unknown): value is Location {
  return typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string'
}
