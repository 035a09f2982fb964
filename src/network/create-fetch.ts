import { followRedirects } from './follow-redirects.js'
import { proxyFor } from './proxy-for.js'

export interface FetchInit extends RequestInit {
  /** Told the size of each piece of the answer's body, as it arrives. An error that it throws ends the answer. */
  onBytes?: (bytes: number) => void
}

/** The platform's `fetch`, with what {@link FetchInit} adds to it. */
export type Fetch = (input: string | URL | Request, init?: FetchInit) => Promise<Response>

export interface NetworkOptions {
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read from it, at each request. */
  env: Readonly<Record<string, string | undefined>>
  /** A PEM file with authorities to trust besides the platform's. */
  caFile?: string
  /**
   * No connection to this machine or to private networks: a name is resolved, its addresses are checked, and the connection
   * goes to one that was.
   */
  publicOnly?: boolean
  /**
   * A request that was sent over an idle connection, as that was being closed, is sent again. Always so for GET and HEAD; this says that
   * a server may get the others twice.
   */
  isRepeatable?: boolean
}

/**
 * A `fetch` that uses the user's proxy and certificates. It rejects as `fetch` does, and with PROXY_INVALID,
 * CA_FILE_FAILED or ADDRESS_REFUSED, which may be the cause of what it rejects with. Its time limits are the caller's, by the signal.
 */
export function createFetch({ env, caFile, publicOnly = false, isRepeatable = false }: NetworkOptions): Fetch {
  const ways = new Map<string, Promise<Fetch>>()
  const send: Fetch = async (input, init) => {
    const url = input instanceof URL ? input : new URL(input instanceof Request ? input.url : input)
    const proxy = proxyFor(url, env)
    if (publicOnly) await (await import('./guarded-lookup.js')).checkPublicHost(url, proxy !== undefined)
    const isDirect = proxy === undefined && caFile === undefined && !publicOnly
    const key = proxy?.href ?? ''
    let way = ways.get(key)
    if (way === undefined) {
      way = isDirect
        ? loadDirect(isRepeatable)
        : connect(proxy, { env, publicOnly, ...(caFile === undefined ? {} : { caFile }) })
      ways.set(key, way)
      // A file that was wrong may be mended before the next request.
      way.catch(() => ways.delete(key))
    }
    return (await way)(input, init)
  }
  return (input, init) =>
    input instanceof Request
      ? followRedirects(send, new URL(input.url), { ...requestInit(input), ...init })
      : followRedirects(send, new URL(input), init ?? {})
}

/** Loaded for the first request: HTTP is a part of Node that a start goes without. */
async function loadDirect(isRepeatable: boolean): Promise<Fetch> {
  const { directFetch } = await import('./direct-fetch.js')
  return directFetch({ isRepeatable })
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
function requestInit({ method, headers, body, signal, redirect }: Request): RequestInit & { duplex?: 'half' } {
  return { method, headers: [...headers], signal, redirect, ...(body ? { body, duplex: 'half' } : {}) }
}
