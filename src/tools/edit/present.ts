import {
  type FileDiff,
  fileChangeView,
  isFileChange,
  type ToolCallView,
  type ToolResultView,
} from '../../cards/index.js'
import type { ToolResult } from '../../registry/index.js'
import { toLfText } from './lf-view.js'
import type { EditArgs } from './replacements.js'

/** The card of a call: each replacement as a snippet. Where it stands in the file only the result knows. */
export function presentEditCall(args: EditArgs): ToolCallView | undefined {
  const { path } = args
  if (!path) return undefined
  return { card: 'diff', title: `Edit ${path}`, diffs: toSnippets(args), locations: [{ path }] }
}

/** The card of a result: what was really changed. */
export function presentEditResult(result: ToolResult): ToolResultView | undefined {
  return !result.isError && isFileChange(result.meta) ? fileChangeView(result.meta) : undefined
}

function toSnippets({ path, edits, old_string, new_string }: EditArgs): FileDiff[] {
  return (edits ?? [{ old_string, new_string }]).flatMap(edit => {
    if (typeof edit.old_string !== 'string' || typeof edit.new_string !== 'string') return []
    const oldText = toLfText(edit.old_string)
    const newText = toLfText(edit.new_string)
    return oldText === newText ? [] : [{ path, oldText, newText }]
  })
}
