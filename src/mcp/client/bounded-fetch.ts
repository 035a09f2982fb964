import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Fetch } from '../../network/index.js'

/** Of an answer, or of one event in a stream of them. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
/** Lines of a stream of events after which other work gets its turn: an event has two or more. */
const SLICE_LINES = 64
const NEWLINE = 0x0a
const RETURN = 0x0d

/**
 * `send`, with a bound on what a server may answer. `onBroken` is told of an answer to a POST that breaks off: what was asked
 * there gets no answer any more.
 */
export function boundedFetch(send: Fetch, onBroken: (reason: string) => void): Fetch {
  return async (input, init) => {
    const response = await send(input, init)
    if (response.body === null) return response
    const isEvents = response.headers.get('content-type')?.includes('text/event-stream') ?? false
    const body = response.body.pipeThrough(limit(isEvents))
    return rebuild(response, init?.method === 'POST' ? watch(body, init.signal, onBroken) : body)
  }
}

/** Counts the bytes of the whole answer, or of each event: they end with an empty line. */
function limit(isEvents: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let wasNewline = false
  return new TransformStream({
    async transform(chunk, controller) {
      let start = 0
      let lines = 0
      let sent = 0
      for (let at = isEvents ? chunk.indexOf(NEWLINE) : -1; at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
        const isEmpty = at === start ? wasNewline : chunk[start] === RETURN && at === start + 1
        if (isEmpty) bytes = -at
        start = at + 1
        wasNewline = true
        if (++lines % SLICE_LINES !== 0) continue
        controller.enqueue(chunk.subarray(sent, start))
        sent = start
        await nextTurn()
      }
      if (start < chunk.length) wasNewline = false
      bytes += chunk.length
      if (bytes > MAX_MESSAGE_BYTES) throw new Error('the server sent a message of more than 32 MB')
      if (sent < chunk.length) controller.enqueue(chunk.subarray(sent))
      await nextTurn()
    },
  })
}

function watch(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
  onBroken: (reason: string) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        if (!signal?.aborted) onBroken(error instanceof Error ? error.message : String(error))
      }
    },
    cancel: reason => reader.cancel(reason),
  })
}

function rebuild(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url, redirected, type } = response
  const rebuilt = new Response(body, { status, statusText, headers })
  // A response that is made by hand knows nothing of these, and redirects are told by them.
  return Object.defineProperties(rebuilt, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
  })
}
