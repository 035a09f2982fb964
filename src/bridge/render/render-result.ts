import type { ToolCallContent } from '@agentclientprotocol/sdk'
import type { ContentBlock, TerminalResultView } from '../../cards/index.js'
import type { CallEnd, CallState } from '../calls/call-state.js'
import { type CardFields, fitFields, pathsOf, toCardFields } from './render-card.js'
import { describeBlock, toWireContent, toWireText } from './render-content.js'
import { type RenderContext, toCallLocations, toPathSpace } from './render-context.js'
import { toHunkFields } from './render-diff.js'
import { toConsole, toLiveContent, toWholeOutput } from './render-progress.js'
import { toCommandTitle, toWireTitle } from './titles.js'

/** What a result changes on a card. */
export interface ResultFields extends Partial<Omit<CardFields, 'rawInput'>> {
  /** First changed lines, one per diff block. */
  hunks?: number[]
}

type Ended = Extract<CallEnd, { type: 'result' }>

/** The fields that the end of a call sets on a card without a terminal. */
export function toResultFields(call: CallState, context: RenderContext): ResultFields {
  const { end } = call
  if (end?.type !== 'result')
    return fitFields({ content: [...toLiveContent(call, context), toWireText('[interrupted]')] })
  const title = resultTitle(call, end, context)
  return { ...toBody(call, end, context), ...(title === undefined ? {} : { title }) }
}

/** The result's title, or the call's again if the kind changed: what is Markdown for one kind is not for another. */
export function resultTitle(call: CallState, end: Ended, context: RenderContext): string | undefined {
  const { view } = end
  const space = toPathSpace(call, context)
  const isDiff = hasHunks(end)
  if (call.view?.card === 'terminal' && !isDiff)
    return view?.title === undefined ? undefined : toCommandTitle(view.title, call.name).title
  const before = call.view && call.view.card !== 'terminal' ? toCardFields(call, context).kind : undefined
  const kind = isDiff ? 'edit' : (before ?? 'other')
  const text = view?.title ?? (isDiff && before !== 'edit' ? (call.view?.title ?? call.name) : undefined)
  if (text === undefined) return undefined
  const diffPaths = view?.card === 'diff' ? view.diffs.map(diff => diff.path) : []
  const located = view === undefined || view.card === 'diff' ? [] : (view.locations ?? []).map(({ path }) => path)
  return toWireTitle({ title: text, name: call.name, kind, paths: [...pathsOf(call), ...diffPaths, ...located], space })
}

/** The locations that a result without diffs gives, if any. */
export function resultLocations(
  call: CallState,
  { view }: Ended,
  context: RenderContext,
): Pick<ResultFields, 'locations'> {
  if (view === undefined || view.card === 'diff' || !view.locations) return {}
  return { locations: toCallLocations(call, view.locations, context) }
}

/** True if the result's diffs are what really happened: of a success, or of a failure after the tool had changed files. */
export function hasHunks(end: Ended): boolean {
  const { view, result } = end
  if (view?.card !== 'diff') return false
  return !result.isError || (result.meta !== undefined && view.diffs.length > 0)
}

/** The raw result as text, for a terminal. */
export function toRawText(blocks: readonly ContentBlock[]): string {
  return blocks.map(describeBlock).join('\n')
}

/** One line that says how a command failed; undefined if it did not. */
export function toStatusLine(end: Ended): string | undefined {
  const view = end.view?.card === 'terminal' ? end.view : undefined
  if (view?.exitCode !== undefined && view.exitCode !== 0) return `Exit code ${view.exitCode}.`
  if (view?.signal) return `Ended by ${view.signal}.`
  return end.result.isError ? 'Failed.' : undefined
}

function toBody(call: CallState, end: Ended, context: RenderContext): ResultFields {
  const { view, result } = end
  const space = toPathSpace(call, context)
  if (view?.card === 'diff' && hasHunks(end)) {
    const { content, locations, toHunkLines } = toHunkFields(space, view.diffs)
    const reason = result.isError ? toReason(end) : []
    const fitted = fitFields({ content: [...reason, ...content], locations })
    const hunks = toHunkLines(fitted.content)
    return {
      kind: 'edit',
      content: fitted.content,
      ...(locations.length > 0 ? { locations } : {}),
      ...(hunks ? { hunks } : {}),
    }
  }
  // The optimistic diff must go: nothing says that it was applied.
  if (call.view?.card === 'diff' && result.isError) return fitFields({ content: toReason(end) })
  if (view?.card === 'terminal') {
    return fitFields({ content: toConsoleContent(call, end, view), ...resultLocations(call, end, context) })
  }
  const content = toWireContent((view?.card === 'generic' ? view.content : undefined) ?? result.content)
  const isSilent = content.length === 0 && !(view?.card === 'generic' && view.content)
  const shown = !isSilent ? content : result.isError ? toReason(end) : toLiveContent(call, context)
  return fitFields({
    ...(isSilent && shown.length === 0 ? {} : { content: shown }),
    ...resultLocations(call, end, context),
  })
}

function toConsoleContent(call: CallState, end: Ended, view: TerminalResultView): ToolCallContent[] {
  const streamed = toWholeOutput(call)
  const output = streamed === '' ? (view.output ?? '') : streamed
  const status = toStatusLine(end)
  return [
    output === '' ? toWireText('No output.') : toConsole(output),
    ...(status === undefined ? [] : [toWireText(status)]),
  ]
}

function toReason({ result }: Ended): ToolCallContent[] {
  return result.content.length > 0
    ? toWireContent(result.content)
    : [toWireText(result.code ? `Failed (${result.code}).` : 'Failed.')]
}
