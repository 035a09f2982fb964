import { proxyFor } from './proxy-for.js'

export type Fetch = typeof globalThis.fetch

export interface NetworkOptions {
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read from it, at each request. */
  env: Readonly<Record<string, string | undefined>>
  /** A PEM file with authorities to trust besides the platform's. */
  caFile?: string
  /**
   * No connection to this machine or to private networks: a name is resolved, its addresses are checked, and the connection
   * goes to one that was. Redirects must be followed by hand.
   */
  publicOnly?: boolean
}

/**
 * A `fetch` that uses the user's proxy and certificates. It rejects as `fetch` does, and with PROXY_INVALID,
 * CA_FILE_FAILED or ADDRESS_REFUSED, which may be the cause of what it rejects with. Its time limits are the caller's, by the signal.
 */
export function createFetch({ env, caFile, publicOnly = false }: NetworkOptions): Fetch {
  const ways = new Map<string, Promise<Fetch>>()
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const proxy = proxyFor(url, env)
    if (publicOnly) await (await import('./guarded-lookup.js')).checkPublicHost(url, proxy !== undefined)
    if (proxy === undefined && caFile === undefined && !publicOnly) return (await loadDirect())(input, init)
    const key = proxy?.href ?? ''
    let way = ways.get(key)
    if (way === undefined) {
      way = connect(proxy, { env, publicOnly, ...(caFile === undefined ? {} : { caFile }) })
      ways.set(key, way)
      // A file that was wrong may be mended before the next request.
      way.catch(() => ways.delete(key))
    }
    const send = await way
    return send(input instanceof Request ? url : input, { ...requestInit(input), ...init })
  }
}

let direct: Promise<Fetch> | undefined

/** Loaded for the first request: HTTP is a part of Node that a start goes without. */
function loadDirect(): Promise<Fetch> {
  direct ??= import('./direct-fetch.js').then(({ directFetch }) => directFetch)
  return direct
}

async function connect(proxy: URL | undefined, { env, caFile, publicOnly }: NetworkOptions): Promise<Fetch> {
  // Loaded for the first request that needs them: TLS and DNS are a part of Node that most starts go without.
  const secureContext =
    caFile === undefined
      ? undefined
      : await (await import('./trusted-certificates.js')).trustedCertificates(caFile, env)
  const { lookupPublic } = await import('./guarded-lookup.js')
  const { dispatchedFetch } = await import('./dispatched-fetch.js')
  return dispatchedFetch({
    ...(proxy ? { proxy } : {}),
    ...(secureContext ? { secureContext } : {}),
    ...(publicOnly ? { lookup: lookupPublic } : {}),
  })
}

/** A request of the platform's own class means nothing to the other copy: its parts do. */
function requestInit(input: Parameters<Fetch>[0]): RequestInit & { duplex?: 'half' } {
  if (!(input instanceof Request)) return {}
  const { method, headers, body, signal, redirect } = input
  return { method, headers: [...headers], signal, redirect, ...(body ? { body, duplex: 'half' } : {}) }
}
