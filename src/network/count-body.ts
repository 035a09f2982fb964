import type { Fetch, FetchInit } from './create-fetch.js'

/** A `fetch` of the platform's kind, which knows no `onBytes`, as one that does. */
export function countingFetch(send: (input: Parameters<Fetch>[0], init?: RequestInit) => Promise<Response>): Fetch {
  return async (input, { onBytes, ...init } = {}) => {
    const response = await send(input, init)
    return onBytes && response.body ? toCounted(response, response.body, onBytes) : response
  }
}

// Not pipeThrough: a transform of its own costs as much as the parsing of what goes through it.
function toCounted(
  { status, statusText, headers, url }: Response,
  body: ReadableStream<Uint8Array>,
  onBytes: NonNullable<FetchInit['onBytes']>,
): Response {
  const reader = body.getReader()
  const counted = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        try {
          onBytes(value.byteLength)
        } catch (error) {
          await reader.cancel(error)
          throw error
        }
        controller.enqueue(value)
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return Object.defineProperty(new Response(counted, { status, statusText, headers }), 'url', { value: url })
}
