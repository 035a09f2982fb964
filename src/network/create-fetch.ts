import type { SecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { proxyFor } from './proxy-for.js'
import { trustedCertificates } from './trusted-certificates.js'

export type Fetch = typeof globalThis.fetch

export interface NetworkOptions {
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read from it, at each request. */
  env: Readonly<Record<string, string | undefined>>
  /** A PEM file with authorities to trust besides the platform's. */
  caFile?: string
}

/**
 * A `fetch` that uses the user's proxy and certificates. It rejects as `fetch` does, and with PROXY_INVALID or
 * CA_FILE_FAILED. Its time limits are the caller's, by the signal.
 */
export function createFetch({ env, caFile }: NetworkOptions): Fetch {
  const dispatchers = new Map<string, Promise<Dispatcher>>()
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const proxy = proxyFor(url, env)
    if (proxy === undefined && caFile === undefined) return globalThis.fetch(input, init)
    const key = proxy?.href ?? ''
    let dispatcher = dispatchers.get(key)
    if (dispatcher === undefined) {
      dispatcher = createDispatcher(proxy, caFile, env)
      dispatchers.set(key, dispatcher)
      // A file that was wrong may be mended before the next request.
      dispatcher.catch(() => dispatchers.delete(key))
    }
    const ready = await dispatcher
    const { fetch } = await import('undici')
    // The same standard in two copies, whose types differ in details.
    const own = fetch as unknown as (input: unknown, init: unknown) => Promise<Response>
    return own(input instanceof Request ? url : input, { ...requestInit(input), ...init, dispatcher: ready })
  }
}

async function createDispatcher(
  proxy: URL | undefined,
  caFile: string | undefined,
  env: NetworkOptions['env'],
): Promise<Dispatcher> {
  const secureContext = caFile === undefined ? undefined : await trustedCertificates(caFile, env)
  const tls = secureContext === undefined ? {} : { secureContext }
  const { Agent, ProxyAgent } = await import('undici')
  // What waits for an answer is the caller's to end: a local model may think for minutes before its first byte.
  const limits = { headersTimeout: 0, bodyTimeout: 0 }
  if (proxy === undefined) return new Agent({ ...limits, connect: tls as { secureContext?: SecureContext } })
  return new ProxyAgent({ ...limits, uri: proxy.href, requestTls: tls, proxyTls: tls })
}

/** A request of the platform's own class means nothing to the other copy: its parts do. */
function requestInit(input: Parameters<Fetch>[0]): RequestInit & { duplex?: 'half' } {
  if (!(input instanceof Request)) return {}
  const { method, headers, body, signal, redirect } = input
  return { method, headers: [...headers], signal, redirect, ...(body ? { body, duplex: 'half' } : {}) }
}
