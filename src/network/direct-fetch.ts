import type { IncomingMessage } from 'node:http'
import { toBodyStream } from './body-stream.js'
import type { Fetch } from './create-fetch.js'
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
  return async (input, init = {}) => {
    if (input instanceof Request || !isTextBody(init.body)) return globalThis.fetch(input, init)
    const url = new URL(input)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return globalThis.fetch(input, init)
    const method = (init.method ?? 'GET').toUpperCase()
    const body = init.body ?? undefined
    const signal = init.signal ?? undefined
    if (body !== undefined && IDEMPOTENT.has(method)) throw new TypeError(`a ${method} request takes no body`)
    const headers = {
      accept: '*/*',
      'user-agent': 'node',
      ...(body === undefined ? {} : { 'content-type': 'text/plain;charset=UTF-8' }),
      ...Object.fromEntries(new Headers(init.headers)),
    }
    const message = await exchange({
      url,
      method,
      headers,
      body,
      signal,
      isRepeatable: isRepeatable || IDEMPOTENT.has(method),
    })
    return toResponse(message, { url, method, signal })
  }
}

function isTextBody(body: unknown): body is string | null | undefined {
  return body === undefined || body === null || typeof body === 'string'
}

async function toResponse(
  message: IncomingMessage,
  { url, method, signal }: { url: URL; method: string; signal: AbortSignal | undefined },
): Promise<Response> {
  const status = message.statusCode ?? 0
  if (status < 200 || status > 599) {
    message.destroy()
    throw new TypeError('fetch failed', { cause: new Error(`the server answered with the status ${status}`) })
  }
  const hasBody = method !== 'HEAD' && !BODILESS.has(status)
  const body = hasBody ? toBodyStream(await decodeBody(message), signal) : null
  if (!hasBody) message.resume()
  const statusText = (message.statusMessage ?? '').replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
  const response = new Response(body, { status, statusText, headers: toHeaders(message) })
  const { href } = url
  return Object.defineProperty(response, 'url', { value: href.slice(0, href.length - url.hash.length) })
}

function toHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}
