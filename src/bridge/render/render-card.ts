import type { ToolCall, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk'
import {
  type DiffCallView,
  fence,
  type GenericCallView,
  type TerminalCallView,
  visibleControls,
} from '../../cards/index.js'
import type { CallState } from '../calls/call-state.js'
import { jsonBytes } from '../wire/serialized-size.js'
import { ENVELOPE_BYTES, MAX_MESSAGE_BYTES } from '../wire/wire-limits.js'
import { type PathSpace, toAbsolutePath } from './path-space.js'
import { fitContent, toWireContent, toWireText } from './render-content.js'
import { type RenderContext, terminalKey, toCallLocations, toPathSpace, toWireLocations } from './render-context.js'
import { toDiffContent } from './render-diff.js'
import { isCommandTooLarge, toCommandInput, toWireInput } from './render-input.js'
import { type CommandTitle, toCommandTitle, toWireTitle } from './titles.js'

/** The fields of a card that both tool_call and tool_call_update have. */
export interface CardFields {
  title: string
  kind: NonNullable<ToolCall['kind']>
  content?: ToolCallContent[]
  locations: NonNullable<ToolCall['locations']>
  rawInput?: unknown
}

/** The call's card as its view says, without what progress and the result brought. */
export function toCardFields(call: CallState, context: RenderContext): CardFields {
  const space = toPathSpace(call, context)
  switch (call.view?.card) {
    case 'terminal':
      return fitFields(toTerminalFields(call, call.view, space, context))
    case 'diff':
      return fitFields(toDiffFields(call, call.view, space))
    case 'generic':
      return fitFields(toGenericFields(call, call.view, context))
    default: {
      const title = toWireTitle({ title: call.name, name: call.name, kind: 'other', paths: [], space })
      return { title, kind: 'other', locations: [], rawInput: toWireInput(call.arguments) }
    }
  }
}

/** The whole card for session/request_permission: a command that its title does not show exactly stands fenced as content. */
export function toPermissionCall(call: CallState, context: RenderContext): ToolCallUpdate {
  const { locations, content, ...fields } = toCardFields(call, context)
  const command = alteredCommand(call)
  const shown = command === undefined ? content : [toWireText(fencedCommand(command))]
  return {
    toolCallId: call.callId,
    ...fields,
    status: 'pending',
    ...(shown ? { content: shown } : {}),
    ...(locations.length > 0 ? { locations } : {}),
    name: call.name,
    _meta: { tool_name: call.name },
  }
}

/** The card's own content if a request of permission may have put another in its place. */
export function contentAfterAsking(call: CallState, context: RenderContext): { content?: ToolCallContent[] } {
  if (!call.asked || alteredCommand(call) === undefined) return {}
  return { content: toCardFields(call, context).content ?? [] }
}

// A terminal card's command, if its title had to be cut or made visible.
function alteredCommand(call: CallState): string | undefined {
  if (call.view?.card !== 'terminal') return undefined
  return commandTitle(call, call.view).altered ? call.view.title : undefined
}

/** Every path of the card, as the tool wrote it: what a title may hold. */
export function pathsOf(call: CallState): string[] {
  const { view } = call
  if (!view || view.card === 'terminal') return []
  const located = view.locations?.map(location => location.path) ?? []
  const named = view.card === 'diff' ? view.diffs.map(diff => diff.path) : (view.paths ?? [])
  return [...located, ...named]
}

/** Makes the content fit in a message beside the other fields. */
export function fitFields<Fields extends { content?: ToolCallContent[]; rawInput?: unknown }>(fields: Fields): Fields {
  if (!fields.content) return fields
  const { content, ...others } = fields
  const fitted = fitContent(content, MAX_MESSAGE_BYTES - ENVELOPE_BYTES - jsonBytes(others))
  return { ...fields, content: fitted }
}

function toTerminalFields(
  call: CallState,
  view: TerminalCallView,
  space: PathSpace,
  context: RenderContext,
): CardFields {
  const content: ToolCallContent[] = []
  if (view.description) content.push(toWireText(view.description))
  if (terminalKey(call, context)) content.push({ type: 'terminal', terminalId: call.callId })
  const cwd = view.cwd === undefined ? undefined : toAbsolutePath(space, view.cwd)
  return {
    title: commandTitle(call, view).title,
    kind: 'execute',
    ...(content.length > 0 ? { content } : {}),
    locations: [],
    rawInput: toCommandInput(view.title, view.description, cwd),
  }
}

function toDiffFields(call: CallState, view: DiffCallView, space: PathSpace): CardFields {
  const content = toDiffContent(space, view.diffs)
  return {
    title: toWireTitle({ title: view.title, name: call.name, kind: 'edit', paths: pathsOf(call), space }),
    kind: 'edit',
    ...(call.called && content.length > 0 ? { content } : {}),
    locations: toWireLocations(space, view.locations ?? view.diffs),
  }
}

// While the arguments stream, a view may set title, kind and locations only.
function toGenericFields(call: CallState, view: GenericCallView, context: RenderContext): CardFields {
  const space = toPathSpace(call, context)
  const kind = view.kind ?? 'other'
  return {
    title: toWireTitle({ title: view.title, name: call.name, kind, paths: pathsOf(call), space }),
    kind,
    ...(call.called && view.content?.length ? { content: toWireContent(view.content) } : {}),
    locations: toCallLocations(call, view.locations ?? [], context),
    ...(call.called && view.rawInput !== undefined ? { rawInput: toWireInput(view.rawInput) } : {}),
  }
}

function commandTitle(call: CallState, view: TerminalCallView): CommandTitle {
  return toCommandTitle(view.title, call.name)
}

function fencedCommand(command: string): string {
  const shown = isCommandTooLarge(command) ? 'This command is too long to be shown; it is refused.' : command
  return fence(
    shown
      .split('\t')
      .map(part => visibleControls(part, { keepNewlines: true }))
      .join('\t'),
  )
}
