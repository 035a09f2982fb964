import type { Readable } from 'node:stream'

const BUFFER_BYTES = 64 * 1024

/**
 * A response's body as `fetch` has it. Holds about 64 KiB of what nobody reads yet. Ends with an error for an answer that broke off:
 * the signal's reason, or a TypeError `terminated`.
 */
export function toBodyStream(source: Readable, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const fail = (cause?: unknown) => {
          if (isOver) return
          isOver = true
          controller.error(signal?.aborted ? signal.reason : new TypeError('terminated', { cause }))
        }
        source.on('error', fail)
        source.once('close', () => fail())
        // It may have ended before anybody could listen.
        if (source.destroyed) return fail(source.errored ?? undefined)
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
      },
      pull() {
        source.resume()
      },
      cancel() {
        isOver = true
        source.destroy()
      },
    },
    { highWaterMark: BUFFER_BYTES, size: chunk => chunk.byteLength },
  )
}
