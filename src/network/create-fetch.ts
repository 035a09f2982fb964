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
  const ways = new Map<string, Promise<Fetch>>()
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const proxy = proxyFor(url, env)
    if (proxy === undefined && caFile === undefined) return globalThis.fetch(input, init)
    const key = proxy?.href ?? ''
    let way = ways.get(key)
    if (way === undefined) {
      way = connect(proxy, caFile, env)
      ways.set(key, way)
      // A file that was wrong may be mended before the next request.
      way.catch(() => ways.delete(key))
    }
    const send = await way
    return send(input instanceof Request ? url : input, { ...requestInit(input), ...init })
  }
}

async function connect(proxy: URL | undefined, caFile: string | undefined, env: NetworkOptions['env']): Promise<Fetch> {
  const secureContext = caFile === undefined ? undefined : await trustedCertificates(caFile, env)
  const { dispatchedFetch } = await import('./dispatched-fetch.js')
  return dispatchedFetch({ ...(proxy ? { proxy } : {}), ...(secureContext ? { secureContext } : {}) })
}

/** A request of the platform's own class means nothing to the other copy: its parts do. */
function requestInit(input: Parameters<Fetch>[0]): RequestInit & { duplex?: 'half' } {
  if (!(input instanceof Request)) return {}
  const { method, headers, body, signal, redirect } = input
  return { method, headers: [...headers], signal, redirect, ...(body ? { body, duplex: 'half' } : {}) }
}
