import type { Readable } from 'node:stream'
import type { FetchInit } from './create-fetch.js'

const BUFFER_BYTES = 64 * 1024

/**
 * A response's body as `fetch` has it. Holds about 64 KiB of what nobody reads yet. Ends with an error for an answer that broke off:
 * the signal's reason, or a TypeError `terminated`.
 */
export function toBodyStream(
  source: Readable,
  { signal, onBytes }: Pick<FetchInit, 'signal' | 'onBytes'>,
): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const fail = (error: unknown) => {
          if (isOver) return
          isOver = true
          controller.error(signal?.aborted ? signal.reason : error)
        }
        const breakOff = (cause?: unknown) => fail(new TypeError('terminated', { cause }))
        source.on('error', breakOff)
        // After its end as well: then there is no error to make.
        source.on('close', () => isOver || breakOff())
        // It may have ended before anybody could listen.
        if (source.destroyed) return breakOff(source.errored ?? undefined)
        source.on('data', (chunk: Buffer) => {
          if (isOver) return
          try {
            onBytes?.(chunk.byteLength)
          } catch (error) {
            fail(error)
            return void source.destroy()
          }
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) source.pause()
        })
        source.on('end', () => {
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
