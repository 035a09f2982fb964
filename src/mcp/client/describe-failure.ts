import { isHarnessError, oneLine } from '../../cards/index.js'

const MAX_REASON_CHARS = 300

/** Why a request or a connection failed, for the user and the model: one line, no stack. */
export function describeFailure(error: unknown): string {
  // Its message is for readers already, and says more than its cause.
  if (isHarnessError(error)) return oneLine(error.message.replace(/\.$/, ''), MAX_REASON_CHARS)
  const status = statusOf(error)
  if (status === 401)
    return 'it wants a login (HTTP 401): give it the right header, such as Authorization, in its settings'
  if (status === 403) return 'it refuses access (HTTP 403): the header with the credentials may lack a right'
  if (status !== undefined && status >= 400) return `it answered HTTP ${status}`
  const deepest = deepestOf(error)
  const code = codeOf(deepest)
  if (code !== undefined && NETWORK[code] !== undefined) return NETWORK[code]
  const words = deepest instanceof Error ? deepest.message : String(deepest)
  return oneLine(words, MAX_REASON_CHARS) || 'it gave no reason'
}

/** True if the connection is of no use any more: the network failed, or the server no longer knows it. */
export function isConnectionFailure(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== undefined) return status === 404
  const code = codeOf(deepestOf(error))
  return code !== undefined && NETWORK[code] !== undefined
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no network',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up now',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'its host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'its host does not answer',
  UND_ERR_SOCKET: 'the connection was cut',
}

/** The HTTP status in an error of the client library; its errors have it at different places. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if (error.constructor.name === 'UnauthorizedError') return 401
  const { status, code, data } = error as { status?: unknown; code?: unknown; data?: { status?: unknown } }
  const found = [status, data?.status, code].find(value => typeof value === 'number' && value >= 300 && value < 600)
  if (typeof found === 'number') return found
  const [, inText] = /\(HTTP (\d{3})\)/.exec(error instanceof Error ? error.message : '') ?? []
  return inText === undefined ? undefined : Number(inText)
}

function deepestOf(error: unknown): unknown {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error && current.cause instanceof Error; depth++) {
    current = current.cause
  }
  return current instanceof AggregateError ? (current.errors[0] ?? current) : current
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
