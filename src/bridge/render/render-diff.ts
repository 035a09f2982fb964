import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk'
import { type FileDiff, type Location, toLf } from '../../cards/index.js'
import { type PathSpace, toAbsolutePath } from './path-space.js'
import { toWireText } from './render-content.js'
import { isLine, toWireLocations } from './render-context.js'

/** Diff blocks with absolute paths and LF on both sides; entries that change nothing are left out. */
export function toDiffContent(space: PathSpace, diffs: readonly FileDiff[]): ToolCallContent[] {
  return toBlocks(space, diffs).map(({ block }) => block)
}

export interface HunkFields {
  content: ToolCallContent[]
  locations: ToolCallLocation[]
  /** First changed line of each diff block of `shown`; undefined if one of them is not known. */
  toHunkLines(shown: readonly ToolCallContent[]): number[] | undefined
}

/** The applied hunks of a result. Without any the content says that nothing changed. */
export function toHunkFields(space: PathSpace, diffs: readonly FileDiff[]): HunkFields {
  const blocks = toBlocks(space, diffs)
  const lines = new Map(blocks.map(({ block, line }) => [block, line]))
  return {
    content: blocks.length > 0 ? blocks.map(({ block }) => block) : [toWireText(nothingChanged(diffs))],
    locations: toWireLocations(space, firstChanges(space, diffs)),
    toHunkLines: shown => {
      const found = shown.filter(block => block.type === 'diff').map(block => lines.get(block))
      return found.length > 0 && found.every(isLine) ? found : undefined
    },
  }
}

interface DiffBlock {
  block: ToolCallContent
  line: number | undefined
}

function toBlocks(space: PathSpace, diffs: readonly FileDiff[]): DiffBlock[] {
  return diffs.flatMap(({ path, oldText, newText, line }) => {
    const old = oldText === null ? null : toLf(oldText)
    const next = toLf(newText)
    if (old === next) return []
    const block: ToolCallContent = { type: 'diff', path: toAbsolutePath(space, path), oldText: old, newText: next }
    // A new file changes from its first line, whether the tool says so or not.
    return [{ block, line: isLine(line) ? line : old === null ? 1 : undefined }]
  })
}

// One location per file, at its first changed line wherever that hunk stands in the list.
function firstChanges(space: PathSpace, diffs: readonly FileDiff[]): Location[] {
  const first = new Map<string, Location>()
  for (const { path, line } of diffs) {
    const key = toAbsolutePath(space, path)
    const known = first.get(key)
    if (!known || (isLine(line) && (known.line === undefined || line < known.line)))
      first.set(key, { path, ...(isLine(line) ? { line } : {}) })
  }
  return [...first.values()]
}

function nothingChanged(diffs: readonly FileDiff[]): string {
  return diffs.some(diff => diff.oldText !== diff.newText) ? 'Only line endings changed.' : 'Nothing changed.'
}
