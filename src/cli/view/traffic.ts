import { type Fields, isFields, type TranscriptFrame, toText } from '../../bridge/index.js'
import { type FoldStep, SessionFold } from '../fold/session-fold.js'
import { ClientTerminals } from './client-terminals.js'
import type { Question } from './entry.js'
import { answerOf, questionOf } from './questions.js'
import { noteOfAnswer, noteOfUpdate, type ThreadNote } from './thread-notes.js'

/** What one message shows. */
export type Effect =
  | { type: 'fold'; step: FoldStep }
  | { type: 'question'; question: Question; callId?: string }
  | { type: 'note'; note: ThreadNote }
  | { type: 'protocol'; text: string }

export interface ReadFrame {
  effect: Effect
  label: string
  sessionId?: string
  /** For a request, what its answer will be known by; for an answer, what its request was. */
  request?: object
}

interface PendingRequest {
  method: string
  params: Fields
  question?: Question
}

const MAX_PENDING = 10_000
const MAX_SESSIONS = 1_000
const ARROWS = { in: 'client → agent', out: 'agent → client' }

/** Reads the messages of a connection one by one, as the client that shows them. */
export class Traffic {
  readonly terminals = new ClientTerminals()
  readonly #pending = new Map<string, PendingRequest>()
  readonly #folds = new Map<string, SessionFold>()

  read({ dir, msg }: TranscriptFrame): ReadFrame {
    const message = isFields(msg) ? msg : {}
    const method = toText(message.method)
    if (method === undefined) return this.#answer(dir, message)
    const params = isFields(message.params) ? message.params : {}
    const request: PendingRequest = { method, params: keptParams(params) }
    if (message.id !== undefined) remember(this.#pending, `${dir} ${JSON.stringify(message.id)}`, request, MAX_PENDING)
    const sessionId = toText(params.sessionId)
    const effect = this.#effect(dir, method, params, sessionId ?? '')
    if (effect.type === 'question') request.question = effect.question
    const update =
      method === 'session/update' && isFields(params.update) ? toText(params.update.sessionUpdate) : undefined
    const label = `${ARROWS[dir]}: ${method}${update === undefined ? '' : ` ${update}`}`
    return { effect, label, request, ...(sessionId === undefined ? {} : { sessionId }) }
  }

  fold(sessionId: string): SessionFold {
    const fold = this.#folds.get(sessionId) ?? new SessionFold()
    if (!this.#folds.has(sessionId)) remember(this.#folds, sessionId, fold, MAX_SESSIONS)
    return fold
  }

  #effect(dir: 'in' | 'out', method: string, params: Fields, sessionId: string): Effect {
    if (dir === 'in') {
      if (method === 'session/prompt') return { type: 'fold', step: this.fold(sessionId).prompt(params.prompt) }
      if (method === 'session/cancel') return note('turn', 'The user cancels')
      // A load shows the whole thread anew.
      if (method === 'session/load') this.#folds.delete(sessionId)
      return { type: 'protocol', text: method }
    }
    const { update } = params
    if (method === 'session/update' && isFields(update)) {
      const step = this.fold(sessionId).apply(update)
      if (step) return { type: 'fold', step }
      const found = noteOfUpdate(update)
      return found ? { type: 'note', note: found } : { type: 'protocol', text: toText(update.sessionUpdate) ?? method }
    }
    const question = questionOf(method, params)
    if (!question) return { type: 'protocol', text: method }
    const { toolCall } = params
    // A client takes the call of a question as an update of its card.
    if (isFields(toolCall)) this.fold(sessionId).apply({ ...toolCall, sessionUpdate: 'tool_call_update' })
    const callId = toText(isFields(toolCall) ? toolCall.toolCallId : params.toolCallId)
    return { type: 'question', question, ...(callId === undefined ? {} : { callId }) }
  }

  #answer(dir: 'in' | 'out', message: Fields): ReadFrame {
    const key = `${dir === 'in' ? 'out' : 'in'} ${JSON.stringify(message.id)}`
    const request = this.#pending.get(key)
    this.#pending.delete(key)
    if (!request) return { effect: { type: 'protocol', text: 'message' }, label: `${ARROWS[dir]}: no request` }
    const { method, params, question } = request
    if (question) question.answer = answerOf(question, message)
    const result = isFields(message.result) ? message.result : {}
    this.terminals.answered(method, params, result)
    const sessionId = toText(params.sessionId) ?? toText(result.sessionId)
    const found = noteOfAnswer(method, message)
    const effect: Effect = found ? { type: 'note', note: found } : { type: 'protocol', text: `${method} answered` }
    const label = `${ARROWS[dir]}: ${'error' in message ? 'error' : 'result'} of ${method}`
    return { effect, label, request, ...(sessionId === undefined ? {} : { sessionId }) }
  }
}

/** What an answer is read with; a prompt may be large. */
function keptParams({ sessionId, terminalId, cwd }: Fields): Fields {
  return { sessionId, terminalId, cwd }
}

function note(kind: string, text: string): Effect {
  return { type: 'note', note: { kind, text, isError: false } }
}

function remember<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
