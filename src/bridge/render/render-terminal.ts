import type { ToolCallUpdate } from '@agentclientprotocol/sdk'
import { oneLine } from '../../cards/index.js'
import { appendOutput, NO_OUTPUT, toOutputTail } from '../calls/call-output.js'
import type { CallEnd, CallState } from '../calls/call-state.js'
import { splitSerialized } from '../wire/serialized-size.js'
import { MAX_CHUNK_BYTES } from '../wire/wire-limits.js'
import type { TerminalOutputKey } from './profile.js'
import { contentAfterAsking, fitFields } from './render-card.js'
import { toWireContent, toWireText } from './render-content.js'
import type { RenderContext } from './render-context.js'
import { toConsole, toWholeOutput } from './render-progress.js'
import {
  hasHunks,
  type ResultFields,
  resultLocations,
  resultTitle,
  toRawText,
  toResultFields,
  toStatusLine,
} from './render-result.js'

const MAX_NOTE_LENGTH = 500
const INTERRUPTED = 'interrupted'

type Ended = Extract<CallEnd, { type: 'result' }>

/** Terminal output as messages of a usual size; the client appends them. */
export function toTerminalOutput(call: CallState, key: TerminalOutputKey, data: string): ToolCallUpdate[] {
  return splitSerialized(data, MAX_CHUNK_BYTES).map(piece => ({
    toolCallId: call.callId,
    status: call.ran ? 'in_progress' : 'pending',
    _meta: { [key]: { terminal_id: call.callId, data: piece } },
  }))
}

/** What is still to be appended to the terminal when its call ends. */
export function toLastOutput(call: CallState): string {
  const { end } = call
  const tail = toOutputTail(call.output)
  const streamed = toWholeOutput(call)
  if (end?.type !== 'result') return tail + toNote(streamed, INTERRUPTED)
  if (neverRan(call, end)) return tail
  const note = toFailureNote(call, end)
  if (streamed !== '' || hasHunks(end)) return tail + (note === undefined ? '' : toNote(streamed, note))
  const text = end.view?.card === 'terminal' ? (end.view.output ?? '') : toRawText(viewContent(end))
  const { output: bounded, shown } = appendOutput(NO_OUTPUT, text)
  const whole = shown + toOutputTail(bounded)
  return whole + (note === undefined ? '' : toNote(whole, note))
}

/** The last message of a terminal: its exit, `{terminal_id}` alone if nothing is known of it, and the fields that change. */
export function toTerminalEnd(call: CallState, context: RenderContext): ResultFields & { exit: object } {
  const { end } = call
  const exit = { terminal_id: call.callId, ...(end?.type === 'result' ? toExit(end) : {}) }
  const card = contentAfterAsking(call, context)
  if (end?.type !== 'result') return { ...card, exit }
  if (hasHunks(end)) return { ...toResultFields(call, context), exit }
  const title = resultTitle(call, end, context)
  const content = neverRan(call, end) ? { content: toRefusal(end) } : card
  const located = resultLocations(call, end, context)
  return fitFields({ ...content, ...(title === undefined ? {} : { title }), ...located, exit })
}

/** The end of a terminal card at a client without terminals. */
export function toFencedEnd(call: CallState, context: RenderContext): ResultFields {
  const { end, view } = call
  if (end?.type !== 'result' || hasHunks(end)) return toResultFields(call, context)
  const title = resultTitle(call, end, context)
  const titled = title === undefined ? {} : { title }
  if (neverRan(call, end)) return fitFields({ content: toRefusal(end), ...titled })
  const streamed = toWholeOutput(call)
  const own = end.view?.card === 'terminal' ? (end.view.output ?? '') : toRawText(viewContent(end))
  const output = streamed === '' ? own : streamed
  const status = toFailureNote(call, end) ?? toStatusLine(end)
  const description = view?.card === 'terminal' && view.description ? [toWireText(view.description)] : []
  return fitFields({
    content: [
      ...description,
      output === '' ? toWireText('No output.') : toConsole(output),
      ...(status === undefined ? [] : [toWireText(status)]),
    ],
    ...titled,
    ...resultLocations(call, end, context),
  })
}

// Refused, vetoed or without a directory to run in: no process was ever started, so there is no terminal to show.
function neverRan(call: CallState, { result }: Ended): boolean {
  if (!result.isError || call.output.textBytes > 0) return false
  return !call.ran || result.code === 'MISSING_CWD' || result.code === 'SPAWN_FAILED'
}

function toRefusal({ result }: Ended) {
  return result.content.length > 0
    ? toWireContent(result.content)
    : [toWireText(`Refused (${result.code ?? 'failed'}).`)]
}

// The reason of a failure that the output cannot show: something outside the command failed after it had written.
function toFailureNote(call: CallState, { result, view }: Ended): string | undefined {
  if (!result.isError) return undefined
  const isOutside = view?.card === 'terminal' ? result.code === 'LISTENER_FAILED' : call.output.textBytes > 0
  return isOutside ? oneLine(toRawText(result.content), MAX_NOTE_LENGTH) || undefined : undefined
}

function toNote(before: string, note: string): string {
  return `${before === '' || before.endsWith('\n') ? '' : '\n'}[${note}]`
}

function viewContent({ view, result }: Ended) {
  return (view?.card === 'generic' ? view.content : undefined) ?? result.content
}

function toExit({ view }: Ended): { exit_code?: number; signal?: string } {
  if (view?.card !== 'terminal') return {}
  if (view.exitCode !== undefined) return { exit_code: view.exitCode }
  return view.signal ? { signal: view.signal } : {}
}
