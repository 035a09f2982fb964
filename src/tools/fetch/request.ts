import { formatBytes, HarnessError } from '../../cards/index.js'
import type { Fetch } from '../../network/index.js'
import { toFetchError, toStatusError } from './failure.js'
import { findUrlFault, isSameSite } from './target.js'

const MAX_REDIRECTS = 10
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface RequestOptions {
  /** Decides by the URL how it is reached. */
  way(url: URL): Fetch
  userAgent: string
  maxBytes: number
  signal: AbortSignal
  /** Throws if the answer is not worth reading. */
  check(answer: Pick<Answer, 'url' | 'mimeType' | 'declaredBytes'>): void
}

export interface Answer {
  /** After redirects. */
  url: URL
  /** Lower case, without parameters; empty if the server does not say. */
  mimeType: string
  /** The charset of the content type; empty if it has none. */
  charset: string
  declaredBytes: number | undefined
  bytes: Buffer
  /** There is more than `bytes`. */
  isCut: boolean
}

/**
 * GETs a page, along redirects within its site. Throws REDIRECTED for one that leads to another host, since whoever allowed this host
 * has not allowed that one, and FETCH_FAILED.
 */
export async function getPage(start: URL, options: RequestOptions): Promise<Answer> {
  let url = start
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await send(url, options)
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    if (location !== null) {
      await drop(response)
      url = follow(url, location)
      continue
    }
    if (!response.ok) {
      await drop(response)
      throw toStatusError(response, url)
    }
    return readAnswer(response, url, options)
  }
  throw new HarnessError('FETCH_FAILED', `${start.href} redirects more than ${MAX_REDIRECTS} times.`)
}

async function send(url: URL, { way, userAgent, signal }: RequestOptions): Promise<Response> {
  try {
    return await way(url)(url.href, {
      redirect: 'manual',
      signal,
      headers: {
        'user-agent': userAgent,
        accept: 'text/markdown, text/html;q=0.9, application/json;q=0.9, text/plain;q=0.8, */*;q=0.1',
      },
    })
  } catch (error) {
    signal.throwIfAborted()
    throw toFetchError(error, url)
  }
}

function follow(from: URL, location: string): URL {
  const fault = URL.canParse(location, from.href) ? findUrlFault(new URL(location, from).href) : 'no URL'
  if (fault !== undefined) {
    throw new HarnessError('REDIRECTED', `${from.href} redirects to what cannot be fetched: ${location.slice(0, 200)}`)
  }
  const to = new URL(location, from)
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new HarnessError(
      'REDIRECTED',
      `${from.href} redirects to ${to.href}, which is not encrypted and not followed.`,
    )
  }
  if (!isSameSite(from, to)) {
    throw new HarnessError(
      'REDIRECTED',
      `${from.href} redirects to another host. To go on, call the tool again with url ${to.href}`,
    )
  }
  return to
}

async function readAnswer(response: Response, url: URL, options: RequestOptions): Promise<Answer> {
  const [mimeType = '', ...parameters] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  const charset = parameters.map(part => /^\s*charset\s*=\s*"?([^"\s]+)/.exec(part)?.[1]).find(Boolean) ?? ''
  const length = response.headers.get('content-encoding') === null ? response.headers.get('content-length') : null
  const declaredBytes = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined
  const facts = { url, mimeType: mimeType.trim(), charset, declaredBytes }
  try {
    options.check(facts)
  } catch (error) {
    await drop(response)
    throw error
  }
  return { ...facts, ...(await readBytes(response, url, options)) }
}

async function readBytes(
  { body }: Response,
  url: URL,
  { maxBytes, signal }: RequestOptions,
): Promise<Pick<Answer, 'bytes' | 'isCut'>> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  try {
    // One byte more than is kept tells that there is more. Compressed bodies are counted as they unfold.
    while (reader && size <= maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      size += value.length
    }
  } catch (error) {
    signal.throwIfAborted()
    const after = size === 0 ? '' : ` after ${formatBytes(size)}`
    throw new HarnessError('FETCH_FAILED', `The answer of ${url.href} broke off${after}.`, { cause: error })
  } finally {
    await reader?.cancel().catch(() => {})
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: size > maxBytes }
}

/** The connection is free again, or closed. */
async function drop({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {})
}
