import { type ContentBlock, type FileChange, fileChangesOf, type JsonValue, text } from '../../cards/index.js'
import type { ToolExecutionResult } from '../../registry/index.js'
import { toDisplayPath } from '../../workspace/index.js'
import type { ChangedFile } from './changes.js'

const MAX_NAMED = 50

export interface FoundChanges {
  files: readonly ChangedFile[]
  /** Of the first of them. */
  shown: FileChange[]
  /** Another command ran in the same tree at the same time. */
  overlapped: boolean
}

/** The result with `meta.fileChanges` for the card, and one line for the model. */
export function withChanges(result: ToolExecutionResult, found: FoundChanges, cwd: string): ToolExecutionResult {
  const { meta } = result
  const line = toLine(found, cwd)
  const content = appendLine(result.content, line)
  // Another shape of meta is the tool's own and stays as it is.
  if (meta !== undefined && (typeof meta !== 'object' || meta === null || Array.isArray(meta))) {
    return { ...result, content }
  }
  const left = found.files.length - found.shown.length
  const changes: JsonValue = {
    fileChanges: [...fileChangesOf(meta), ...found.shown].map(toJson),
    ...(left > 0 && { fileChangesLeftOut: left }),
  }
  return { ...result, content, meta: { ...meta, ...changes } }
}

/** `Files changed: M src/a.ts, A b.ts, D c.ts, R old.ts -> new.ts`. */
function toLine({ files, overlapped }: FoundChanges, cwd: string): string {
  const shorten = (path: string) => toDisplayPath(path, cwd)
  const names = files.slice(0, MAX_NAMED).map(({ path, movedFrom, before, after }) => {
    if (movedFrom !== undefined) return `R ${shorten(movedFrom.path)} -> ${shorten(path)}`
    return `${before.stamp === null ? 'A' : after === null ? 'D' : 'M'} ${shorten(path)}`
  })
  const more = files.length > MAX_NAMED ? `, and ${files.length - MAX_NAMED} more` : ''
  const doubt = overlapped ? ' (another command ran at the same time; some may be its changes)' : ''
  return `Files changed${doubt}: ${names.join(', ')}${more}`
}

// To the last text, not as a block of its own: presenters look at how many blocks there are.
function appendLine(content: readonly ContentBlock[], line: string): ContentBlock[] {
  const last = content.at(-1)
  if (last?.type !== 'text') return [...content, text(line)]
  const gap = last.text === '' || last.text.endsWith('\n') ? '' : '\n'
  return [...content.slice(0, -1), text(`${last.text}${gap}${line}`)]
}

function toJson(change: FileChange): JsonValue {
  return { ...change, hunks: change.hunks.map(hunk => ({ ...hunk })) }
}
