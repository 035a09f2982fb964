import type { ToolCallContent } from '@agentclientprotocol/sdk'
import { fence, foldTerminal, headAndTail } from '../../cards/index.js'
import { toOutputTail } from '../calls/call-output.js'
import type { CallState } from '../calls/call-state.js'
import { MAX_FENCED_BYTES } from '../wire/wire-limits.js'
import { toCardFields } from './render-card.js'
import { toWireContent, toWireText } from './render-content.js'
import type { RenderContext } from './render-context.js'

/** The card's content as it stands before a result: the view's or what progress put there, then the output so far. */
export function toLiveContent(call: CallState, context: RenderContext): ToolCallContent[] {
  const isTerminal = call.view?.card === 'terminal'
  const base = call.content && !isTerminal ? toWireContent(call.content) : (toCardFields(call, context).content ?? [])
  const output = toWholeOutput(call)
  return output === '' ? base : [...base, toConsole(output)]
}

/** Terminal output for a client without terminals: bounded, folded to plain text, in a fenced block. */
export function toConsole(output: string): ToolCallContent {
  // Cut before it is folded: folding a megabyte would hold up every other session.
  return toWireText(fence(foldTerminal(headAndTail(output, MAX_FENCED_BYTES)), 'console'))
}

/** All that the call streamed, as far as it is kept. */
export function toWholeOutput(call: CallState): string {
  return call.output.text + toOutputTail(call.output)
}
