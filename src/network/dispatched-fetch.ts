import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import { Agent, fetch, ProxyAgent } from 'undici'
import { countingFetch } from './count-body.js'
import type { Fetch } from './create-fetch.js'

interface Way {
  proxy?: URL
  secureContext?: SecureContext
  /** Of a connection without a proxy. */
  lookup?: LookupFunction
}

/** A `fetch` by one way: through a proxy, with certificates, with checked addresses. Loaded only if there is one of them. */
export function dispatchedFetch({ proxy, secureContext, lookup }: Way): Fetch {
  const tls = secureContext === undefined ? {} : { secureContext }
  // What waits for an answer is the caller's to end: a local model may think for minutes before its first byte.
  const limits = { headersTimeout: 0, bodyTimeout: 0 }
  const dispatcher =
    proxy === undefined
      ? new Agent({ ...limits, connect: { ...tls, ...(lookup && { lookup }) } })
      : new ProxyAgent({ ...limits, uri: proxy.href, requestTls: tls, proxyTls: tls })
  // The same standard in two copies, whose types differ in details.
  const send = fetch as unknown as (input: unknown, init: unknown) => Promise<Response>
  return countingFetch((input, init) => send(input, { ...init, dispatcher }))
}
