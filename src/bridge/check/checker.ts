import { checkMethod, checkOptions, checkUpdateCapability } from './check-capability.js'
import { checkPath } from './check-content.js'
import { type Fields, type Finding, isFields, type Message, toMessage, toText, type WireFrame } from './check-frame.js'
import { type PendingRequest, PendingRequests } from './check-pending.js'
import { SessionChecks } from './check-session.js'
import { oversize } from './check-size.js'

/** The rules on the frame sequence of an ACP v1 connection, as code; for any agent's frames, in their order. */
export class WireChecker {
  readonly #fromClient = new PendingRequests()
  readonly #fromAgent = new PendingRequests()
  readonly #sessions = new Map<string, SessionChecks>()
  /** Undefined until initialize was seen: a transcript may begin in the middle. */
  #capabilities: Fields | undefined

  /** What this frame breaks. */
  check({ dir, msg }: WireFrame): Finding[] {
    const message = toMessage(msg)
    if (!message) return [{ rule: 13, text: 'not a JSON-RPC object' }]
    if (dir === 'in') return this.#checkIn(message)
    const bytes = oversize(msg)
    const large = bytes === undefined ? [] : [{ rule: 12, text: `a message of ${bytes} bytes` }]
    return [...large, ...this.#checkOut(message)]
  }

  /** What the end of the connection leaves open. */
  end(): Finding[] {
    return this.#fromClient
      .prompts()
      .map(({ sessionId }) => withIds({ rule: 11, text: 'a prompt without an answer' }, sessionId))
  }

  /** Direction of a bare message; undefined for a response to a request that neither side made. */
  directionOf(msg: unknown): 'in' | 'out' | undefined {
    const message = toMessage(msg)
    if (!message) return undefined
    const { id, method, result } = message
    if (method !== undefined) return AGENT_METHODS.has(method) ? 'in' : 'out'
    const isAnswerOfClient = this.#fromAgent.has(id)
    if (!this.#fromClient.has(id)) return isAnswerOfClient ? 'in' : undefined
    return isAnswerOfClient && result && !isAgentResult(result) ? 'in' : 'out'
  }

  #checkIn(message: Message): Finding[] {
    const { id, method, params } = message
    if (method === undefined) {
      const request = this.#fromAgent.take(message)
      if (request && request !== 'again' && request.toolCallId !== undefined)
        this.#sessions.get(request.sessionId ?? '')?.answered(request.toolCallId)
      return []
    }
    const sessionId = toText(params.sessionId)
    if (method === 'initialize')
      this.#capabilities = isFields(params.clientCapabilities) ? params.clientCapabilities : {}
    if (method === 'session/cancel' && sessionId !== undefined) this.#fromClient.cancel({ sessionId })
    if (method === '$/cancel_request') this.#fromClient.cancel({ id: params.requestId })
    if (id === undefined) return []
    this.#fromClient.add(id, { method, isCancelled: false, ...(sessionId === undefined ? {} : { sessionId }) })
    if (method === 'session/load' && sessionId !== undefined) this.#session(sessionId).loadStarted()
    if (method === 'session/prompt' && sessionId !== undefined) this.#sessions.get(sessionId)?.promptStarted()
    return []
  }

  #checkOut(message: Message): Finding[] {
    const { id, method, params } = message
    if (method === undefined) return this.#checkAnswer(message)
    const sessionId = toText(params.sessionId)
    const found: Finding[] = []
    if (this.#capabilities) checkMethod(method, this.#capabilities, found)
    if (method.startsWith('fs/')) checkPath(params.path, `${method} path`, found)
    if (method === 'terminal/create' && params.cwd) checkPath(params.cwd, `${method} cwd`, found)
    const toolCall = method === 'session/request_permission' && isFields(params.toolCall) ? params.toolCall : undefined
    const toolCallId = toText(toolCall?.toolCallId)
    if (id !== undefined) {
      const ids = {
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(toolCallId === undefined ? {} : { toolCallId }),
      }
      this.#fromAgent.add(id, { method, isCancelled: false, ...ids })
    }
    if (method === 'session/update' || toolCall) found.push(...this.#checkSession(sessionId, params, toolCall))
    return found.map(one => withIds(one, sessionId))
  }

  #checkSession(sessionId: string | undefined, params: Fields, toolCall: Fields | undefined): Finding[] {
    const update = isFields(params.update) ? params.update : {}
    const found: Finding[] = []
    const isKnown = sessionId !== undefined && this.#sessions.has(sessionId)
    if (!isKnown && this.#capabilities) {
      const what = toolCall ? 'session/request_permission' : String(update.sessionUpdate)
      found.push({ rule: 7, text: `${what} for a session that the client has not been given` })
    }
    if (!isKnown && !this.#capabilities && sessionId !== undefined) this.#session(sessionId).promptStarted()
    const session = this.#sessions.get(sessionId ?? '')
    if (!session) return found
    if (toolCall) return [...found, ...session.asked(toolCall)]
    if (this.#capabilities) checkUpdateCapability(update, this.#capabilities, found)
    return [...found, ...session.update(update)]
  }

  #checkAnswer(message: Message): Finding[] {
    const request = this.#fromClient.take(message)
    if (request === 'again') return [{ rule: 11, text: 'a prompt is answered twice' }]
    if (!request) return []
    const { result } = message
    const sessionId = request.method === 'session/new' ? toText(result?.sessionId) : request.sessionId
    const found: Finding[] = []
    if (result && this.#capabilities) checkOptions(result.configOptions, this.#capabilities, found)
    if (sessionId !== undefined) found.push(...this.#advance(request, sessionId, message))
    return found.map(one => withIds(one, sessionId))
  }

  #advance(request: PendingRequest, sessionId: string, { result, error }: Message): Finding[] {
    switch (request.method) {
      case 'session/new':
      case 'session/resume':
        if (result) this.#session(sessionId).isGiven = true
        return []
      case 'session/load': {
        const session = this.#session(sessionId)
        const found = session.loadAnswered()
        if (result) session.isGiven = true
        // One that was open before stays so.
        if (error && !session.isGiven && this.#fromClient.prompts().every(prompt => prompt.sessionId !== sessionId))
          this.#sessions.delete(sessionId)
        return found
      }
      case 'session/close':
      case 'session/delete':
        if (result) this.#sessions.delete(sessionId)
        return []
      case 'session/prompt': {
        const found: Finding[] = this.#sessions.get(sessionId)?.promptAnswered() ?? []
        if (request.isCancelled && (error || result?.stopReason !== 'cancelled'))
          found.push({ rule: 11, text: 'a cancelled prompt is answered with something else than cancelled' })
        return found
      }
      default:
        return []
    }
  }

  #session(sessionId: string): SessionChecks {
    const session = this.#sessions.get(sessionId) ?? new SessionChecks()
    this.#sessions.set(sessionId, session)
    return session
  }
}

const AGENT_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'authenticate',
  'logout',
  'session/new',
  'session/load',
  'session/resume',
  'session/list',
  'session/close',
  'session/delete',
  'session/prompt',
  'session/cancel',
  'session/set_mode',
  'session/set_config_option',
  '$/cancel_request',
])

// Both sides may use the same id at the same time: these keys stand in no answer of a client.
function isAgentResult(result: Fields): boolean {
  return ['stopReason', 'protocolVersion', 'sessionId', 'sessions', 'configOptions', 'modes'].some(key => key in result)
}

function withIds(finding: Finding, sessionId: string | undefined): Finding {
  return sessionId === undefined ? finding : { ...finding, sessionId }
}
