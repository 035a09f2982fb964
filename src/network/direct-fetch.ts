import { globalAgent as httpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import type { Fetch } from './create-fetch.js'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** By the standard these come without a body. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])
const BUFFER_BYTES = 64 * 1024

/**
 * A `fetch` over Node's own HTTP client: half the work of the platform's for a small request, and no time limits of its own.
 * Takes text bodies; what it cannot take, and redirects, go to the platform's. It rejects as that does.
 */
export const directFetch: Fetch = async (input, init) => {
  if (input instanceof Request || !isTextBody(init?.body)) return globalThis.fetch(input, init)
  const url = new URL(input)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return globalThis.fetch(input, init)
  const message = await exchange(url, init ?? {}, true)
  const status = message.statusCode ?? 0
  if (init?.redirect !== 'manual' && REDIRECTS.has(status) && message.headers.location !== undefined) {
    message.resume()
    return globalThis.fetch(input, init)
  }
  const body = BODILESS.has(status) || init?.method === 'HEAD' ? null : toStream(await decoded(message), init?.signal)
  if (body === null) message.resume()
  return new Response(body, { status, statusText: message.statusMessage ?? '', headers: toHeaders(message) })
}

function isTextBody(body: unknown): body is string | null | undefined {
  return body === undefined || body === null || typeof body === 'string'
}

/** One request, up to the head of its answer. */
async function exchange(url: URL, init: RequestInit, mayReuse: boolean): Promise<IncomingMessage> {
  const { signal, body, method = 'GET' } = init
  signal?.throwIfAborted()
  // TLS is a part of Node that a start without it goes without.
  const { request, agent } = url.protocol === 'http:' ? { request: requestHttp, agent: httpAgent } : await httpsClient()
  const headers = Object.fromEntries(new Headers(init.headers))
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: { accept: '*/*', 'user-agent': 'node', ...headers },
      // A connection of its own for the second try.
      agent: mayReuse ? agent : false,
    })
    const onAbort = () => sent.destroy(toError(signal?.reason))
    signal?.addEventListener('abort', onAbort, { once: true })
    sent.once('response', message => {
      message.once('close', () => signal?.removeEventListener('abort', onAbort))
      resolve(message)
    })
    sent.once('error', cause => {
      signal?.removeEventListener('abort', onAbort)
      if (signal?.aborted) return reject(signal.reason)
      // The server had closed the idle connection just before: it has seen nothing of the request.
      if (sent.reusedSocket && mayReuse && isClosed(cause)) return resolve(exchange(url, init, false))
      reject(new TypeError('fetch failed', { cause }))
    })
    sent.end(body ?? undefined)
  })
}

async function httpsClient() {
  const { request, globalAgent } = await import('node:https')
  return { request, agent: globalAgent }
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}

/** The bytes as they were before the server compressed them. It was not asked to, but some do. */
async function decoded(message: IncomingMessage): Promise<NodeJS.ReadableStream> {
  const encoding = message.headers['content-encoding']?.toLowerCase()
  if (encoding === undefined || encoding === 'identity') return message
  const zlib = await import('node:zlib')
  const { pipeline } = await import('node:stream')
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }
  const decoder =
    encoding === 'br'
      ? zlib.createBrotliDecompress()
      : encoding === 'gzip' || encoding === 'x-gzip'
        ? zlib.createGunzip(flush)
        : encoding === 'deflate'
          ? zlib.createInflate(flush)
          : undefined
  return decoder ? pipeline(message, decoder, () => {}) : message
}

function toHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}

function toStream(source: NodeJS.ReadableStream, signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const fail = (cause?: unknown) => {
          if (isOver) return
          isOver = true
          controller.error(signal?.aborted ? signal.reason : new TypeError('terminated', { cause }))
        }
        source.on('data', (chunk: Buffer) => {
          if (isOver) return
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) source.pause()
        })
        source.once('end', () => {
          if (isOver) return
          isOver = true
          controller.close()
        })
        source.on('error', fail)
        source.once('close', fail)
      },
      pull() {
        source.resume()
      },
      cancel() {
        isOver = true
        if ('destroy' in source && typeof source.destroy === 'function') source.destroy()
      },
    },
    { highWaterMark: BUFFER_BYTES, size: chunk => chunk.byteLength },
  )
}
