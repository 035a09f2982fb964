import { fileChangeView, isFileChange, type ToolCallView, type ToolResultView } from '../../cards/index.js'
import type { ToolResult } from '../../registry/index.js'

/**
 * The card of a call: the whole content, with no old side, since only the result knows whether there was a file. The title
 * says neither "create" nor "replace".
 */
export function presentWriteCall({ path, content }: { path: string; content: string }): ToolCallView | undefined {
  if (!path) return undefined
  const known = typeof content === 'string'
  return {
    card: 'diff',
    title: `Write ${path}`,
    diffs: known ? [{ path, oldText: null, newText: content.replaceAll('\r\n', '\n') }] : [],
    locations: [{ path }],
  }
}

/** The card of a result: what was really changed. */
export function presentWriteResult(result: ToolResult): ToolResultView | undefined {
  return !result.isError && isFileChange(result.meta) ? fileChangeView(result.meta) : undefined
}
