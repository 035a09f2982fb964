import { isRecord } from '../../../cards/index.js'

/** What a provider says went wrong, in its own form: inside a stream, or as a document. */
export class ReportedFault extends Error {
  readonly reported: unknown

  constructor(reported: unknown) {
    super('The provider reported an error.')
    this.reported = reported
  }
}

/** What can be read of a failed request, whatever form it has. */
export interface Fault {
  /** HTTP status; absent if there was no response. */
  status?: number
  /** Words that programs test: the provider's error type and code. */
  kinds: readonly string[]
  /** The provider's own sentence; may be empty. */
  message: string
  headers: Readonly<Record<string, string | undefined>>
  /** Codes of the connection's error and of what caused it. */
  causes: readonly string[]
  /** Messages of the same. */
  causeTexts: readonly string[]
}

/** Reads an error of the AI SDK, of `fetch`, or one that the provider reported in its stream. */
export function readFault(error: unknown): Fault {
  const causes: string[] = []
  const causeTexts: string[] = []
  for (let cause = error, depth = 0; isRecord(cause) && depth < 8; cause = cause.cause, depth++) {
    if (typeof cause.code === 'string') causes.push(cause.code)
    if (typeof cause.name === 'string') causes.push(cause.name)
    if (typeof cause.message === 'string') causeTexts.push(cause.message)
    // Node tries each address of a host: what became of them stands beside, not behind.
    if (Array.isArray(cause.errors) && isRecord(cause.errors[0]) && typeof cause.errors[0].code === 'string') {
      causes.push(cause.errors[0].code)
    }
  }
  const { statusCode, responseHeaders, responseBody } = isRecord(error) ? error : {}
  const reported = error instanceof ReportedFault ? error.reported : parse(responseBody)
  const said = readReported(reported)
  return {
    ...(typeof statusCode === 'number' ? { status: statusCode } : {}),
    kinds: said.kinds,
    message: said.message || (typeof responseBody === 'string' ? plain(responseBody) : ''),
    headers: isRecord(responseHeaders) ? (responseHeaders as Fault['headers']) : {},
    causes,
    causeTexts,
  }
}

/** `{error: {…}}`, the inner part alone, `{detail}`, `{message}` or a sentence: each is in use. */
function readReported(value: unknown): { kinds: string[]; message: string } {
  if (typeof value === 'string') return { kinds: [], message: value }
  if (!isRecord(value)) return { kinds: [], message: '' }
  const inner = value.error ?? value.detail
  if (typeof inner === 'string') return { kinds: kindsOf(value), message: inner }
  if (isRecord(inner)) return { kinds: [...kindsOf(inner), ...kindsOf(value)], message: messageOf(inner) }
  return { kinds: kindsOf(value), message: messageOf(value) }
}

function kindsOf({ type, code, status, param }: Record<string, unknown>): string[] {
  return [type, code, status, param].flatMap(value =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  )
}

function messageOf({ message }: Record<string, unknown>): string {
  return typeof message === 'string' ? message : ''
}

function parse(body: unknown): unknown {
  if (typeof body !== 'string') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** A body that is no JSON: short plain text counts, a page does not. */
function plain(body: string): string {
  return /[<{]/.test(body) ? '' : body
}
