import { type ErrorCode, HarnessError } from '../../../cards/index.js'
import type { Fault } from './fault.js'
import { isLocalHost } from './local-host.js'
import type { ModelFailure } from './model-failure.js'
import type { ProviderAccess } from './providers.js'

const CERTIFICATE =
  /^(?:CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_(?:VERIFY|GET)|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/
/** An answer that is no HTTP, or no TLS: plain HTTP at an https address, the reverse, or HTTP/2 alone. */
const OTHER_PROTOCOL = /^(?:EPROTO$|HPE_|ERR_SSL_(?!.*CERT))/
const DROPPED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED', 'ERR_STREAM_PREMATURE_CLOSE']
const TIMED_OUT = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** A request that got no response, or only part of one; undefined if the fault is of another kind. */
export function connectionFailure(fault: Fault, access: ProviderAccess): ModelFailure | undefined {
  const { name, baseUrl } = access
  const host = new URL(baseUrl).host
  const failure = (code: ErrorCode, retry: ModelFailure['retry'], reason: string, text: string): ModelFailure => ({
    error: new HarnessError(code, text),
    retry,
    reason,
  })
  const { causes, causeTexts } = fault
  const has = (...codes: readonly string[]) => causes.some(code => codes.includes(code))
  const proxy = causeTexts.find(text => /proxy response/i.test(text))

  if (proxy !== undefined) {
    const status = /\((\d{3})\)/.exec(proxy)?.[1] ?? /\b(4\d\d|5\d\d)\b/.exec(proxy)?.[1]
    const advice =
      status === '407'
        ? 'It wants a name and a password: give them in HTTPS_PROXY, as http://name:password@host:port.'
        : 'Check HTTPS_PROXY, and NO_PROXY for hosts that need none.'
    return failure(
      'MODEL_UNREACHABLE',
      'no',
      'the proxy',
      `The proxy did not connect to ${host}${status ? ` (${status})` : ''}. ${advice}`,
    )
  }
  const hasBegun = fault.status !== undefined || causeTexts.includes('terminated')
  if (!hasBegun && causes.some(code => OTHER_PROTOCOL.test(code))) {
    const scheme = new URL(baseUrl).protocol === 'https:' ? 'https' : 'http'
    return failure(
      'MODEL_UNREACHABLE',
      'no',
      'another protocol',
      `${host} does not answer as a server of ${scheme}. Check whether the address of ${name} begins with http or https, and its port.`,
    )
  }
  if (causes.some(code => CERTIFICATE.test(code))) {
    return failure(
      'MODEL_UNREACHABLE',
      'no',
      'its certificate',
      `The certificate of ${host} is not trusted. If your network brings its own, name its file with caFile in the config. (${causes.find(code => CERTIFICATE.test(code))})`,
    )
  }
  if (has('ENOTFOUND', 'EAI_AGAIN')) {
    return failure(
      'MODEL_UNREACHABLE',
      'once',
      'no connection',
      `The address ${host} of ${name} cannot be found. Check the network connection, the address, and HTTPS_PROXY if you need a proxy.`,
    )
  }
  if (has('ECONNREFUSED')) {
    const advice = isLocalHost(baseUrl)
      ? 'Start the server there, or correct the address.'
      : 'Check the address and the network.'
    return failure(
      'MODEL_UNREACHABLE',
      'once',
      'no connection',
      `Nothing answers at ${host}, the address of ${name}. ${advice}`,
    )
  }
  if (has('EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL')) {
    return failure(
      'MODEL_UNREACHABLE',
      'once',
      'no connection',
      `${host} cannot be reached. Check the network connection.`,
    )
  }
  if (has(...TIMED_OUT)) {
    return failure(
      'MODEL_TIMEOUT',
      'once',
      'no answer in time',
      `${name} did not answer in time. Check the network, and send the prompt again.`,
    )
  }
  // A response that had begun: its status is there.
  if (fault.status !== undefined || has(...DROPPED) || causeTexts.includes('terminated')) {
    return fault.status === undefined
      ? failure(
          'MODEL_UNREACHABLE',
          'yes',
          'a lost connection',
          `The connection to ${host} was lost before an answer. Send the prompt again.`,
        )
      : failure(
          'MODEL_STREAM_DROPPED',
          'yes',
          'a lost connection',
          `The connection to ${name} was lost in mid-answer. Send the prompt again to go on.`,
        )
  }
  // The SDK's own check of a stream that ends without a reason.
  if (has('AI_InvalidResponseDataError') && causeTexts.some(text => /without a finish reason/i.test(text))) {
    return failure(
      'MODEL_STREAM_DROPPED',
      'yes',
      'the answer broke off',
      `The answer of ${name} broke off. Send the prompt again to go on.`,
    )
  }
  if (has('AI_JSONParseError', 'AI_TypeValidationError', 'AI_InvalidResponseDataError', 'AI_EmptyResponseBodyError')) {
    return failure(
      'MODEL_FAILED',
      'once',
      'an unreadable answer',
      `${name} sent an answer in a form that Deckhand does not know. Check that the address ${host} is the right one for it.`,
    )
  }
  if (causeTexts.includes('fetch failed')) {
    return failure(
      'MODEL_UNREACHABLE',
      'once',
      'no connection',
      `There is no connection to ${host}. Check the network and the address.`,
    )
  }
  return undefined
}
