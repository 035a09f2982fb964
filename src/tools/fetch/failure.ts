import { HarnessError, isHarnessError } from '../../cards/index.js'

const REASONS: Record<string, string> = {
  ENOTFOUND: 'there is no host of this name; check the URL',
  EAI_AGAIN: 'names cannot be looked up at the moment; is there a network?',
  ECONNREFUSED: 'nothing answers at this address and port',
  ECONNRESET: 'the server closed the connection',
  UND_ERR_SOCKET: 'the server closed the connection',
  ETIMEDOUT: 'the server does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the server does not answer',
  EHOSTUNREACH: 'there is no way to this address',
  ENETUNREACH: 'there is no network to this address',
  UND_ERR_HEADERS_OVERFLOW: 'its answer has too long headers',
}

/** What a request failed by, for the reader. Errors with a code of ours stay, with what can be done. */
export function toFetchError(error: unknown, url: URL): HarnessError {
  const own = findOwn(error)
  if (own?.code === 'ADDRESS_REFUSED') {
    const advice = 'A model fetches public addresses only; the user can open this one by typing the call.'
    return new HarnessError('ADDRESS_REFUSED', `${own.message} ${advice}`, { cause: error })
  }
  if (own) return own
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code = '', message = '' } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {}
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code)
  const reason = isCertificate
    ? `its certificate is not trusted (${code}); with a private authority, caFile in the config names its file`
    : (REASONS[code] ?? (message || 'the request failed'))
  return new HarnessError('FETCH_FAILED', `Cannot fetch ${url.href}: ${reason}.`, { cause: error })
}

/** The error of an answer that is no page. */
export function toStatusError({ status, statusText, headers }: Response, url: URL): HarnessError {
  const said = statusText === '' ? String(status) : `${status} ${statusText.slice(0, 60)}`
  return new HarnessError('FETCH_FAILED', `${url.href} answers ${said}${toAdvice(status, headers.get('retry-after'))}.`)
}

function toAdvice(status: number, retryAfter: string | null): string {
  if (status === 404 || status === 410) return ': there is no such page; check the URL'
  if (status === 401 || status === 403 || status === 407)
    return ': it wants a login, or no programs; fetch sends no cookies and no keys'
  if (status === 429 || status === 503) {
    return `: it takes no requests for now; try later${/^\d{1,6}$/.test(retryAfter ?? '') ? `, in ${retryAfter} s` : ''}`
  }
  return status >= 500 ? ': the server failed; try later' : ''
}

function findOwn(error: unknown): HarnessError | undefined {
  for (let at = error, depth = 0; at !== undefined && depth < 5; depth++) {
    if (isHarnessError(at)) return at
    at = at instanceof Error ? at.cause : undefined
  }
  return undefined
}
