import type { ToolCallContent } from '@agentclientprotocol/sdk'
import { type FileChange, fileChangesOf, fileChangeView, type Location } from '../../cards/index.js'
import type { CallState } from '../calls/call-state.js'
import { type PathSpace, toAbsolutePath, toShownPath } from './path-space.js'
import { fitFields, toCardFields } from './render-card.js'
import { toWireContent, toWireText } from './render-content.js'
import { type RenderContext, toPathSpace, toWireLocations } from './render-context.js'
import { toHunkFields } from './render-diff.js'
import { toLiveContent } from './render-progress.js'
import { hasHunks, type ResultFields } from './render-result.js'
import { toWireTitle } from './titles.js'

/** What a call did to files besides its own card. */
export interface ChangeBlocks {
  changes: FileChange[]
  content: ToolCallContent[]
  locations: Location[]
  /** First changed line of each diff block. */
  lines: Map<ToolCallContent, number>
}

/** The blocks of `meta.fileChanges` of any tool's result; undefined without any. Files that the card itself shows are left out. */
export function toChangeBlocks(call: CallState, context: RenderContext): ChangeBlocks | undefined {
  const { end } = call
  if (end?.type !== 'result') return undefined
  const space = toPathSpace(call, context)
  const own =
    end.view?.card === 'diff' && hasHunks(end) ? end.view.diffs.map(({ path }) => toAbsolutePath(space, path)) : []
  const changes = fileChangesOf(end.result.meta).filter(
    ({ type, path }) => type !== 'unchanged' && !own.includes(toAbsolutePath(space, path)),
  )
  if (changes.length === 0) return undefined
  const blocks: ChangeBlocks = { changes, content: [], locations: [], lines: new Map() }
  for (const change of changes) {
    blocks.content.push(...toNote(change, space))
    if (change.hunks.length > 0) {
      const { content, toHunkLines } = toHunkFields(space, change.hunks)
      for (const block of content) {
        const [line] = toHunkLines([block]) ?? []
        if (line !== undefined) blocks.lines.set(block, line)
      }
      blocks.content.push(...content)
    }
    if (change.type !== 'deleted') blocks.locations.push(toLocation(change))
  }
  const left = countLeftOut(end.result.meta)
  if (left > 0) blocks.content.push(toWireText(`${left} more ${left === 1 ? 'file' : 'files'} changed.`))
  return blocks
}

/** The end of a card with these blocks below what it shows: nothing of the card is lost (B20). */
export function withChangeBlocks(
  fields: ResultFields,
  blocks: ChangeBlocks,
  call: CallState,
  context: RenderContext,
): ResultFields {
  const own = fields.content ?? toLiveContent(call, context)
  const ownDiffs = own.filter(item => item.type === 'diff')
  const lines = new Map(blocks.lines)
  for (const [index, line] of (fields.hunks ?? []).entries()) lines.set(ownDiffs[index]!, line)
  const space = toPathSpace(call, context)
  const ownLocations = (fields.locations ?? toCardFields(call, context).locations).map(({ path, line }) => ({
    path,
    ...(typeof line === 'number' && { line }),
  }))
  const locations = toWireLocations(space, [...ownLocations, ...blocks.locations])
  const { hunks: _own, ...rest } = fields
  const fitted = fitFields({ ...rest, content: [...own, ...blocks.content], locations })
  return { ...fitted, ...toHunks(fitted.content, lines) }
}

export interface ChangeCard {
  title: string
  content: ToolCallContent[]
  locations: ReturnType<typeof toWireLocations>
  hunks?: number[]
}

/** The blocks as a card of their own, for a client that draws nothing beside a terminal. */
export function toChangeCard(blocks: ChangeBlocks, call: CallState, context: RenderContext): ChangeCard {
  const space = toPathSpace(call, context)
  const { changes } = blocks
  const paths = changes.flatMap(({ path, movedFrom }) => [path, ...(movedFrom === undefined ? [] : [movedFrom])])
  const title = toWireTitle({ title: toTitle(call, changes), name: call.name, kind: 'edit', paths, space })
  const locations = toWireLocations(space, blocks.locations)
  const { content } = fitFields({ title, content: blocks.content, locations })
  return { title, content, locations, ...toHunks(content, blocks.lines) }
}

const VERBS = { created: 'Created', modified: 'Changed', deleted: 'Deleted', moved: 'Moved', unchanged: '' }

function toTitle({ end }: CallState, changes: readonly FileChange[]): string {
  const count = changes.length + (end?.type === 'result' ? countLeftOut(end.result.meta) : 0)
  const [first] = changes
  if (count !== 1 || first === undefined) return `Changed ${count} files`
  const from = first.movedFrom === undefined ? '' : `${first.movedFrom} to `
  return `${VERBS[first.type]} ${from}${first.path}`
}

// A diff says all of a file that came or was changed; the rest needs a word.
function toNote(change: FileChange, space: PathSpace): ToolCallContent[] {
  const isPlain = change.type === 'created' || change.type === 'modified'
  if (isPlain && change.hunks.length > 0 && change.reason === undefined) return []
  const shorten = (path: string) => toShownPath(space, toAbsolutePath(space, path)) ?? path
  const { movedFrom } = change
  const view = fileChangeView({
    ...change,
    path: shorten(change.path),
    ...(movedFrom === undefined ? {} : { movedFrom: shorten(movedFrom) }),
    hunks: [],
  })
  return view.card === 'generic' ? toWireContent(view.content ?? []) : []
}

function toLocation({ path, hunks }: FileChange): Location {
  const line = hunks[0]?.line
  return { path, ...(line === undefined ? {} : { line }) }
}

function toHunks(
  content: readonly ToolCallContent[],
  lines: ReadonlyMap<ToolCallContent, number>,
): { hunks?: number[] } {
  const found = content.filter(item => item.type === 'diff').map(item => lines.get(item))
  const known = found.filter(line => line !== undefined)
  return known.length > 0 && known.length === found.length ? { hunks: known } : {}
}

function countLeftOut(meta: unknown): number {
  if (typeof meta !== 'object' || meta === null || !('fileChangesLeftOut' in meta)) return 0
  const left = meta.fileChangesLeftOut
  return Number.isSafeInteger(left) && Number(left) > 0 ? Number(left) : 0
}
