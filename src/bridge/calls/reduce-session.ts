import { isToolCallView, isToolResultView, type JsonValue } from '../../cards/index.js'
import { parseArguments } from '../../registry/index.js'
import type { SessionEvent } from '../../session/events.js'
import { appendOutput, NO_OUTPUT } from './call-output.js'
import type { CallEnd, CallState, Presenter, SessionChange, SessionState } from './call-state.js'
import { continueText } from './last-text.js'

export interface SessionStep {
  state: SessionState
  changes: SessionChange[]
}

/** No turn has so many calls open at once; a log that does is broken, and each of its events would cost more than the one before. */
const MAX_OPEN_CALLS = 500

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>

/** One session event applied. Pure, given a pure presenter: the same events give the same changes live and on replay. */
export function reduceSession(state: SessionState, event: SessionEvent, presenter: Presenter): SessionStep {
  switch (event.type) {
    // A crash leaves calls without a result: the next turn is the first sign of it.
    case 'turn/start':
    case 'turn/end':
      return interruptCalls(state)
    case 'user/message':
      return {
        state: afterText(state),
        changes: [{ type: 'user', messageId: event.messageId, content: event.content }],
      }
    case 'assistant/message':
    case 'assistant/thought':
    case 'note': {
      const { text, last: lastText } = continueText(state.lastText, event)
      const type = event.type === 'assistant/thought' ? 'thought' : 'message'
      return { state: { ...state, lastText }, changes: [{ type, messageId: event.messageId, text }] }
    }
    case 'plan':
      return { state, changes: [{ type: 'plan', entries: event.entries }] }
    case 'usage': {
      const { used, size, cost } = event
      // A client cannot show a part of an unknown whole.
      if (size === undefined) return { state, changes: [] }
      return { state, changes: [{ type: 'usage', used, size, ...(cost === undefined ? {} : { cost }) }] }
    }
    case 'compaction': {
      const { compactionId = 'compaction', summary } = event
      return { state, changes: [{ type: 'compaction', compactionId, summary }] }
    }
    case 'session/config': {
      const { cwd = state.place.cwd, roots = event.cwd ? [event.cwd] : state.place.roots } = event
      const place = event.cwd || event.roots ? { cwd, roots } : state.place
      return { state: { ...state, place }, changes: event.title ? [{ type: 'title', title: event.title }] : [] }
    }
    case 'tool/start':
    case 'tool/call': {
      const { state: roomy, changes } = withRoom(state, event.callId)
      const step = event.type === 'tool/start' ? start(roomy, event, presenter) : call(roomy, event, presenter)
      return afterCard({ ...step, changes: [...changes, ...step.changes] })
    }
    case 'tool/running':
    case 'tool/progress':
    case 'tool/result':
    case 'permission/asked': {
      const open = state.calls.get(event.callId)
      if (!open) return skip(state, event.callId, `${event.type} for a call that is not open`)
      return advance(state, open, event, presenter)
    }
    default:
      return { state, changes: [] }
  }
}

/** Something else than a text follows in the thread. */
function afterText(state: SessionState): SessionState {
  return state.lastText === undefined ? state : { ...state, lastText: undefined }
}

/** A call that was shown before keeps its place, and texts may stand behind it. */
function afterCard(step: SessionStep): SessionStep {
  const isNew = step.changes.some(({ type }) => type === 'call/shown')
  return isNew ? { ...step, state: afterText(step.state) } : step
}

/** Ends every call that has no result: it would otherwise look as if it ran for ever (B46). */
export function interruptCalls(state: SessionState): SessionStep {
  if (state.calls.size === 0) return { state, changes: [] }
  const changes = [...state.calls.values()].flatMap(open => end(open, { type: 'interrupted' }))
  return { state: { ...state, calls: new Map() }, changes }
}

/** Ends the oldest open call if this one would be too many. */
function withRoom(state: SessionState, callId: string): SessionStep {
  const [oldest] = state.calls.values()
  if (oldest === undefined || state.calls.size < MAX_OPEN_CALLS || state.calls.has(callId))
    return { state, changes: [] }
  const calls = new Map(state.calls)
  calls.delete(oldest.callId)
  return { state: { ...state, calls }, changes: end(oldest, { type: 'interrupted' }) }
}

function start(state: SessionState, event: EventOf<'tool/start'>, presenter: Presenter): SessionStep {
  const open = state.calls.get(event.callId)
  if (open?.called) return skip(state, event.callId, 'tool/start after tool/call')
  const problems: SessionChange[] = []
  const view = present(problems, event.callId, isToolCallView, () =>
    presenter.presentPartial(event.name, event.arguments, event.presentedBy),
  )
  const isEarlyCard = view !== undefined && view.card !== 'terminal'
  const next: CallState = {
    ...(open ?? opened(state, event.callId, event.name)),
    arguments: event.arguments,
    ...(event.presentedBy === undefined ? {} : { presentedBy: event.presentedBy }),
    ...(isEarlyCard ? { view, early: true } : {}),
  }
  const changes: SessionChange[] = isEarlyCard
    ? [{ type: open?.early ? 'call/refined' : 'call/shown', call: next }]
    : []
  return { state: withCall(state, next), changes: [...problems, ...changes] }
}

function call(state: SessionState, event: EventOf<'tool/call'>, presenter: Presenter): SessionStep {
  const open = state.calls.get(event.callId)
  if (open?.called) return skip(state, event.callId, 'a second tool/call with this id')
  const args = toShownArguments(event.arguments)
  const problems: SessionChange[] = []
  const { name, presentedBy } = event
  const view = present(problems, event.callId, isToolCallView, () => presenter.presentCall(name, args, presentedBy))
  const { view: _early, ...base } = open ?? opened(state, event.callId, name)
  const next: CallState = {
    ...base,
    name,
    arguments: args,
    called: true,
    ...(presentedBy === undefined ? {} : { presentedBy }),
    ...(view ? { view } : {}),
  }
  const change: SessionChange = { type: next.early ? 'call/refined' : 'call/shown', call: next }
  return { state: withCall(state, next), changes: [...problems, change] }
}

function advance(
  state: SessionState,
  open: CallState,
  event: EventOf<'tool/running' | 'tool/progress' | 'tool/result' | 'permission/asked'>,
  presenter: Presenter,
): SessionStep {
  switch (event.type) {
    case 'permission/asked':
      return { state: withCall(state, { ...open, asked: true }), changes: [] }
    case 'tool/running': {
      const next = { ...open, ran: true }
      return { state: withCall(state, next), changes: [{ type: 'call/running', call: next }] }
    }
    case 'tool/progress': {
      // Progress with nothing in it says nothing; it does not wipe the card (B20).
      const content = event.content?.length ? event.content : undefined
      const appended = event.output ? appendOutput(open.output, event.output) : { output: open.output, shown: '' }
      const next = { ...open, output: appended.output, ...(content ? { content } : {}) }
      const changes: SessionChange[] = []
      if (content) changes.push({ type: 'call/content', call: next })
      if (event.output) changes.push({ type: 'call/output', call: next, data: appended.shown })
      return { state: withCall(state, next), changes }
    }
    case 'tool/result': {
      const { content, isError, meta, error } = event
      const calls = new Map(state.calls)
      calls.delete(open.callId)
      // What the log says of a call that a crash cut off: the same as of one whose result is not there (B51).
      if (error?.code === 'INTERRUPTED') {
        return { state: { ...state, calls }, changes: end(open, { type: 'interrupted' }) }
      }
      const result = { content, isError, ...(meta === undefined ? {} : { meta }) }
      const problems: SessionChange[] = []
      const view = present(problems, open.callId, isToolResultView, () =>
        presenter.presentResult(open.name, open.arguments, result, open.presentedBy),
      )
      const changes = end(open, {
        type: 'result',
        result: { ...result, ...(error ? { code: error.code } : {}) },
        ...(view ? { view } : {}),
      })
      return { state: { ...state, calls }, changes: [...problems, ...changes] }
    }
  }
}

// A call whose stream was dropped before any card went out has nothing to close.
function end(open: CallState, how: CallEnd): SessionChange[] {
  return open.called || open.early ? [{ type: 'call/ended', call: { ...open, end: how } }] : []
}

function opened(state: SessionState, callId: string, name: string): CallState {
  const { place } = state
  return {
    callId,
    name,
    place,
    arguments: {},
    early: false,
    called: false,
    ran: false,
    asked: false,
    output: NO_OUTPUT,
  }
}

function withCall(state: SessionState, next: CallState): SessionState {
  return { ...state, calls: new Map(state.calls).set(next.callId, next) }
}

function skip(state: SessionState, callId: string, reason: string): SessionStep {
  return { state, changes: [{ type: 'skipped', callId, reason }] }
}

// A presenter is foreign code: what it throws or answers must not end the turn or the replay.
function present<View>(
  problems: SessionChange[],
  callId: string,
  isView: (value: unknown) => value is View,
  view: () => unknown,
): View | undefined {
  try {
    const answer = view()
    if (answer === undefined || isView(answer)) return answer
    problems.push({ type: 'skipped', callId, reason: 'a presenter gave a malformed view' })
  } catch (error) {
    problems.push({ type: 'skipped', callId, reason: `a presenter threw: ${String(error)}` })
  }
  return undefined
}

// As the registry reads them, so that those who are asked about the call get the same; else what can be read of them (B80).
function toShownArguments(raw: JsonValue): JsonValue {
  try {
    return parseArguments(raw) as JsonValue
  } catch {
    return typeof raw === 'string' ? parseLoosely(raw) : raw
  }
}

function parseLoosely(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
