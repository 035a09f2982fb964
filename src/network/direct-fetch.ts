import type { IncomingMessage } from 'node:http'
import { toBodyStream } from './body-stream.js'
import { countingFetch } from './count-body.js'
import type { Fetch, FetchInit } from './create-fetch.js'
import { decodeBody } from './decode-body.js'
import { exchange } from './exchange.js'

/** By the standard these come without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD'])

interface DirectOptions {
  /** Whether a POST may be sent again too: see {@link NetworkOptions.isRepeatable}. */
  isRepeatable: boolean
}

/**
 * A `fetch` over Node's own HTTP client: half the work of the platform's for a small request, and no limit for the answer's
 * time. Takes text bodies; what it cannot take goes to the platform's. Follows no redirect. It rejects as the platform's does.
 */
export function directFetch({ isRepeatable }: DirectOptions): Fetch {
  const platform = countingFetch((input, init) => globalThis.fetch(input, init))
  return async (input, init = {}) => {
    if (input instanceof Request || !isTextBody(init.body)) return platform(input, init)
    const url = input instanceof URL ? input : new URL(input)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return platform(input, init)
    const method = (init.method ?? 'GET').toUpperCase()
    const body = init.body ?? undefined
    const signal = init.signal ?? undefined
    if (body !== undefined && IDEMPOTENT.has(method)) throw new TypeError(`a ${method} request takes no body`)
    const message = await exchange({
      url,
      method,
      headers: toRequestHeaders(init.headers, body !== undefined),
      body,
      signal,
      isRepeatable: isRepeatable || IDEMPOTENT.has(method),
    })
    return toResponse(message, url, method, init)
  }
}

function isTextBody(body: unknown): body is string | null | undefined {
  return body === undefined || body === null || typeof body === 'string'
}

function toRequestHeaders(given: FetchInit['headers'], hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': 'node' }
  if (hasBody) headers['content-type'] = 'text/plain;charset=UTF-8'
  // Most requests bring a record, which needs no `Headers` to be read.
  const entries: Iterable<[string, unknown]> =
    given === undefined || given instanceof Headers || Array.isArray(given) ? new Headers(given) : Object.entries(given)
  for (const [name, value] of entries) headers[name.toLowerCase()] = String(value).trim()
  return headers
}

async function toResponse(message: IncomingMessage, url: URL, method: string, init: FetchInit): Promise<Response> {
  const status = message.statusCode ?? 0
  if (status < 200 || status > 599) {
    message.destroy()
    throw new TypeError('fetch failed', { cause: new Error(`the server answered with the status ${status}`) })
  }
  const hasBody = method !== 'HEAD' && !BODILESS.has(status)
  if (!hasBody) message.resume()
  const encoding = hasBody ? message.headers['content-encoding'] : undefined
  const bytes = encoding === undefined ? message : await decodeBody(message, encoding)
  const response = new Response(hasBody ? toBodyStream(bytes, init) : null, {
    status,
    statusText: (message.statusMessage ?? '').replace(/[^\t\x20-\x7e\x80-\xff]/g, ''),
    headers: toPairs(message),
  })
  const { href } = url
  return Object.defineProperty(response, 'url', { value: href.slice(0, href.length - url.hash.length) })
}

function toPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return pairs
}
