import type { Fetch, FetchInit } from './create-fetch.js'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const MAX_REDIRECTS = 20
/** What another origin may see. A key may stand in any other header, and the standard withholds `authorization` alone. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

/** Sends a request and follows its redirects as `fetch` does, with no header that may hold a key to another origin. */
export async function followRedirects(send: Fetch, start: URL, init: FetchInit): Promise<Response> {
  if (init.redirect === 'manual') return send(start, init)
  let url = start
  let request: FetchInit = { ...init, redirect: 'manual' }
  for (let followed = 0; ; followed++) {
    const response = await send(url, request)
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    if (location === null) {
      return followed === 0 ? response : Object.defineProperty(response, 'redirected', { value: true })
    }
    await response.body?.cancel().catch(() => {})
    if (init.redirect === 'error') throw failure('the server redirects, and the request is not to follow')
    if (followed === MAX_REDIRECTS) throw failure(`the server redirects more than ${MAX_REDIRECTS} times`)
    const target = toTarget(location, url)
    request = toNext(request, response.status, target.origin === url.origin)
    url = target
  }
}

function toTarget(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw failure('the server redirects to what is no address')
  const target = new URL(location, from)
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw failure(`the server redirects to an address with ${target.protocol}`)
  }
  return target
}

function toNext(request: FetchInit, status: number, isSameOrigin: boolean): FetchInit {
  const method = (request.method ?? 'GET').toUpperCase()
  const becomesGet = status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST'
  const headers = [...new Headers(request.headers)].filter(
    ([name]) => (isSameOrigin || HARMLESS.has(name)) && !(becomesGet && name.startsWith('content-')),
  )
  const next = { ...request, headers }
  return becomesGet ? { ...next, method: 'GET', body: null } : next
}

function failure(text: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(text) })
}
