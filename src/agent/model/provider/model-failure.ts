import { type ErrorCode, HarnessError, isHarnessError, oneLine } from '../../../cards/index.js'
import { connectionFailure } from './connection-failure.js'
import { type Fault, readFault } from './fault.js'
import type { ProviderAccess } from './providers.js'
import { parseRetryAfter } from './retry.js'

/** A failed request in our words, and whether to try it again. */
export interface ModelFailure {
  error: HarnessError
  /** `once`: one more try may help, more would only let the user wait. */
  retry: 'no' | 'once' | 'yes'
  retryAfterMs?: number
  /** Why, in a few words for a notice. */
  reason: string
}

export interface FailureContext {
  access: ProviderAccess
  model: string
}

/** What went wrong with a request to a model. The message names the next step; no key and no address with a key is in it. */
export function toModelFailure(error: unknown, context: FailureContext): ModelFailure {
  if (isHarnessError(error)) return fromOwn(error as HarnessError)
  const fault = readFault(error)
  const { access } = context
  if (fault.status === undefined || (fault.status >= 200 && fault.status < 300)) {
    const connection = connectionFailure(fault, access)
    if (connection) return connection
  }
  const retryAfterMs = parseRetryAfter(fault.headers, Date.now())
  const { code, retry, text, reason } = classify(fault, context, retryAfterMs)
  return {
    error: new HarnessError(code, text, { cause: error }),
    retry,
    reason,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

function fromOwn(error: HarnessError): ModelFailure {
  const retry = error.code === 'MODEL_TIMEOUT' ? 'once' : error.code === 'MODEL_STREAM_DROPPED' ? 'yes' : 'no'
  const reason = error.code === 'MODEL_TIMEOUT' ? 'no answer in time' : 'the answer broke off'
  return { error, retry, reason }
}

interface Verdict {
  code: ErrorCode
  retry: ModelFailure['retry']
  text: string
  reason: string
}

const TOO_LONG =
  /context.?length|context.?window|maximum context|max(imum)? prompt|prompt is too long|input is too long|too many (input )?tokens|exceeds? the (available|maximum|model).*(context|tokens|length)|request.?too.?large/i
const NO_MODEL =
  /model.{0,80}(not (exist|found)|does ?n[o']t exist|not a valid|is invalid|unknown)|(no such|unknown|invalid) model|model_not_found/i
const NO_CREDIT = /insufficient.?(quota|balance|credit)|credit balance|exceeded your current quota|billing|payment/i
const FILTERED = /content.?(policy|filter|management)|responsible.?ai|safety.?system|usage policies/i
const NO_ROOM = /overloaded|no capacity|capacity.?exceeded|server.?is.?busy|insufficient_system_resource/i

function classify(fault: Fault, { access, model }: FailureContext, retryAfterMs: number | undefined): Verdict {
  const { name, keyVariable, keySource } = access
  const { status } = fault
  const words = [...fault.kinds, fault.message].join(' ')
  const said = quote(fault, access)
  const verdict = (code: ErrorCode, retry: Verdict['retry'], reason: string, text: string): Verdict => ({
    code,
    retry,
    reason,
    text: `${text}${said}`.trim(),
  })

  if (
    status === 401 ||
    status === 403 ||
    (!status && /authentication|permission_error|invalid.?api.?key/i.test(words))
  ) {
    const place = keySource === 'environment' ? `Correct ${keyVariable}, or unset it and run` : 'Run'
    const login = `${place} "deckhand login ${name}" in a terminal.`
    return status === 403
      ? verdict(
          'MODEL_AUTH',
          'no',
          'no permission',
          `${name} does not let this key use ${model} (403). Choose another model, or another key: ${login}`,
        )
      : verdict(
          'MODEL_AUTH',
          'no',
          'a rejected key',
          `${name} rejected the key${status ? ` (${status})` : ''}. ${login}`,
        )
  }
  if (status === 402 || NO_CREDIT.test(words)) {
    return verdict(
      'MODEL_RATE_LIMITED',
      'no',
      'no credit',
      `The account at ${name} has no credit or quota left. Add some there, or choose another model.`,
    )
  }
  if (status === 413 || ((status === 400 || !status || status === 422) && TOO_LONG.test(words))) {
    return verdict(
      'MODEL_CONTEXT_TOO_LONG',
      'no',
      'too long',
      `The conversation is longer than ${name}/${model} takes. Shorten it with /compact, or begin a new thread.`,
    )
  }
  if (status === 404 || (status !== 429 && NO_MODEL.test(words))) {
    return verdict(
      'MODEL_UNKNOWN',
      'no',
      'an unknown model',
      `${name} does not offer ${model} at ${new URL(access.baseUrl).host}. Choose another model, or check the name and the address.`,
    )
  }
  if (status === 429 || /rate.?limit|too many requests/i.test(words)) {
    return verdict(
      'MODEL_RATE_LIMITED',
      'yes',
      'too many requests',
      `${name} takes no more requests for now. Send the prompt again ${inMinutes(retryAfterMs)}.`,
    )
  }
  if (status === 529 || status === 503 || NO_ROOM.test(words)) {
    return verdict(
      'MODEL_OVERLOADED',
      'yes',
      'no capacity',
      `${name} has no capacity at the moment. Send the prompt again later, or choose another model.`,
    )
  }
  if (status === 451 || ((status === 400 || !status) && FILTERED.test(words))) {
    return verdict(
      'MODEL_REFUSED',
      'no',
      'a refusal',
      `${name} refused the content of the request. Word the prompt differently, or begin a new thread.`,
    )
  }
  if (status === 408 || status === 504 || status === 524) {
    return verdict(
      'MODEL_TIMEOUT',
      'once',
      'no answer in time',
      `${name} did not answer in time (${status}). Send the prompt again.`,
    )
  }
  if (status === 407) {
    return verdict(
      'MODEL_UNREACHABLE',
      'no',
      'a proxy',
      'The proxy wants a name and a password: give them in HTTPS_PROXY, as http://name:password@host:port.',
    )
  }
  const isServers = status !== undefined && (status >= 500 || status === 409 || status === 425)
  const isOdd = /^(?:api|server|internal).?(?:server.?)?error$/i.test(fault.kinds[0] ?? '')
  return verdict(
    'MODEL_FAILED',
    isServers || isOdd ? 'yes' : 'no',
    status ? `error ${status}` : 'an error',
    isServers || isOdd
      ? `${name} failed${status ? ` (${status})` : ''}. Send the prompt again.`
      : `${name} did not take the request${status ? ` (${status})` : ''}.${fault.message ? '' : ` ${describeCause(fault, access)}`}`,
  )
}

function inMinutes(ms: number | undefined): string {
  return ms === undefined || ms < 60_000 ? 'in a minute' : `in ${Math.ceil(ms / 60_000)} minutes`
}

/** The provider's own words, on one line, without what looks like a key. */
function quote({ message }: Fault, access: ProviderAccess): string {
  return message.trim() === '' ? '' : ` It says: ${safe(message, access)}`
}

function describeCause({ causeTexts }: Fault, access: ProviderAccess): string {
  return safe(causeTexts.at(-1) ?? 'The reason is in the log.', access)
}

function safe(text: string, { key }: ProviderAccess): string {
  const line = (key ? text.replaceAll(key, '[key]') : text)
    .replace(/\b(?:sk|pk|key|gsk|xai)-[\w*.-]{6,}/gi, '[key]')
    .replace(/(\/\/)[^\s/@]+@/g, '$1')
  return oneLine(line, 300)
}
