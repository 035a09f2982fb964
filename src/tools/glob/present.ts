import { fence, type ToolCallView, type ToolResultView, text } from '../../cards/index.js'
import type { ToolResult } from '../../registry/index.js'

interface TitleArgs {
  pattern: string
  path?: string
}

/** Structured facts of a glob, kept with its result. */
export type GlobMeta = {
  found: number
  /** There are more than are shown. */
  more: boolean
}

/** `Find *.ts in src`. Nothing before the pattern is known; a glob has no locations. */
export function presentGlobCall(args: TitleArgs): ToolCallView | undefined {
  if (args.pattern === undefined) return undefined
  return {
    card: 'generic',
    kind: 'search',
    title: toTitle(args),
    ...(args.path !== undefined && { paths: [args.path] }),
  }
}

/** The paths as a block that no editor reads as Markdown. */
export function presentGlobResult(args: TitleArgs, result: ToolResult): ToolResultView | undefined {
  const [block] = result.content
  if (result.isError || block?.type !== 'text' || !isGlobMeta(result.meta)) return undefined
  const { found, more } = result.meta
  const what = args.pattern.endsWith('/') ? ['directory', 'directories'] : ['file', 'files']
  const counted =
    found === 0 ? `no ${what[1]}` : `${found} ${found === 1 ? what[0] : what[1]}${more ? ' and more' : ''}`
  return { card: 'generic', title: `${toTitle(args)} (${counted})`, content: [text(fence(block.text))] }
}

function toTitle({ pattern, path }: TitleArgs): string {
  return `Find ${pattern}${path === undefined ? '' : ` in ${path}`}`
}

function isGlobMeta(meta: unknown): meta is GlobMeta {
  if (typeof meta !== 'object' || meta === null) return false
  const { found, more } = meta as Record<string, unknown>
  return typeof found === 'number' && typeof more === 'boolean'
}
