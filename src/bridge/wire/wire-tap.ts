import type { AnyMessage, JsonRpcId, Stream } from '@agentclientprotocol/sdk'
import { withDetails } from './protocol-errors.js'

export interface WireTap {
  stream: Stream
  /** Runs `action` once the response to this request has been written; never if it is answered with an error. */
  afterResponse(id: JsonRpcId, action: () => void): void
  /** Tells the other side that nothing follows. */
  end(): void
}

/** Sees every message in its wire order; may throw for an outgoing one, which then fails its send. */
export type WireObserver = (direction: 'in' | 'out', message: AnyMessage) => void

export interface TapOptions {
  onMessage?: WireObserver
  /** A message reaches the SDK once this has resolved, and those behind it wait. */
  beforeRead?: (message: AnyMessage) => Promise<void> | undefined
}

/** Stands between the SDK and the transport. Error answers leave with a text in `data.details`. */
export function tapWire(inner: Stream, { onMessage, beforeRead }: TapOptions): WireTap {
  const actions = new Map<JsonRpcId, () => void>()
  const reader = inner.readable.getReader()
  const writer = inner.writable.getWriter()
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        const { value, done } = await reader.read()
        if (done) return controller.close()
        onMessage?.('in', value)
        await beforeRead?.(value)
        controller.enqueue(value)
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  const writable = new WritableStream<AnyMessage>({
    async write(given) {
      const message = withDetails(given)
      onMessage?.('out', message)
      await writer.write(message)
      if (actions.size === 0 || 'method' in message || message.id === undefined) return
      const action = actions.get(message.id)
      if (!action) return
      actions.delete(message.id)
      if ('result' in message) action()
    },
    close: () => writer.close(),
    abort: reason => writer.abort(reason),
  })
  return {
    stream: { readable, writable },
    afterResponse: (id, action) => actions.set(id, action),
    // A client that has gone needs no end.
    end: () => void writer.close().catch(() => {}),
  }
}
