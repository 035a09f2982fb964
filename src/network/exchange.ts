import { setMaxListeners } from 'node:events'
import { globalAgent as httpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import type { Socket } from 'node:net'

/** Name, connection and TLS together; as long as the platform's `fetch` gives them. */
const CONNECT_LIMIT_MS = 10_000

export interface DirectRequest {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  signal: AbortSignal | undefined
  /** Whether it may reach the server twice: an idle connection that ends under it does not tell how far it came. */
  isRepeatable: boolean
}

/** Sends one request, up to the head of its answer. Rejects with the signal's reason, or with a TypeError as `fetch` does. */
export async function exchange(asked: DirectRequest, mayReuse = true): Promise<IncomingMessage> {
  const { url, method, headers, body, signal, isRepeatable } = asked
  // TLS is a part of Node that a start without it goes without.
  const { request, agent } = url.protocol === 'http:' ? { request: requestHttp, agent: httpAgent } : await httpsClient()
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    // A connection of its own for the second try.
    const sent = request(url, { method, headers, agent: mayReuse ? agent : false })
    let message: IncomingMessage | undefined
    let bytesBefore = 0
    const onAbort = () => sent.destroy(toError(signal?.reason))
    if (signal) hearAbort(signal, onAbort)
    const forget = () => signal?.removeEventListener('abort', onAbort)
    sent.once('close', forget)
    sent.once('socket', socket => {
      bytesBefore = socket.bytesRead
      if (!sent.reusedSocket) limitConnecting(socket, url, error => sent.destroy(error))
    })
    sent.once('response', head => {
      message = head
      resolve(head)
    })
    // Without this listener Node closes the connection, and nobody hears of it.
    sent.once('upgrade', (_head, socket) => {
      socket.destroy()
      forget()
      reject(new TypeError('fetch failed', { cause: new Error('the server changed to another protocol') }))
    })
    // More than one may come; after the head it is the body's.
    sent.on('error', cause => {
      if (message) return void (message.complete || message.destroy(cause))
      if (signal?.aborted) return reject(signal.reason)
      const isSilent = sent.reusedSocket && isClosed(cause) && (sent.socket?.bytesRead ?? 0) === bytesBefore
      if (isSilent && isRepeatable && mayReuse) return resolve(exchange(asked, false))
      reject(new TypeError('fetch failed', { cause }))
    })
    sent.end(body)
  })
}

/** One signal may end many requests at once, such as all those of an MCP server: that is no leak to warn of. */
function hearAbort(signal: AbortSignal, onAbort: () => void): void {
  setMaxListeners(0, signal)
  signal.addEventListener('abort', onAbort, { once: true })
}

async function httpsClient() {
  const { request, globalAgent } = await import('node:https')
  return { request, agent: globalAgent }
}

function limitConnecting(socket: Socket, { protocol, host }: URL, stop: (error: Error) => void): void {
  const late = () =>
    stop(Object.assign(new Error(`no connection to ${host} in ${CONNECT_LIMIT_MS} ms`), { code: 'ETIMEDOUT' }))
  const timer = setTimeout(late, CONNECT_LIMIT_MS)
  const clear = () => clearTimeout(timer)
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', clear)
  socket.once('close', clear)
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
