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
  const writable = new OutgoingMessages(writer, async given => {
    const message = withDetails(given)
    onMessage?.('out', message)
    await writer.write(message)
    if (actions.size === 0 || 'method' in message || message.id === undefined) return
    const action = actions.get(message.id)
    if (!action) return
    actions.delete(message.id)
    if ('result' in message) action()
  })
  return {
    stream: { readable, writable },
    afterResponse: (id, action) => actions.set(id, action),
    // A client that has gone needs no end.
    end: () => void writer.close().catch(() => {}),
  }
}

/**
 * The transport's writer as the stream that the SDK sends to. The SDK takes a writer for each message and gives it back, for which
 * the platform's streams make an error with its stack each time.
 */
class OutgoingMessages implements WritableStream<AnyMessage>, WritableStreamDefaultWriter<AnyMessage> {
  readonly locked = false

  constructor(
    private readonly writer: WritableStreamDefaultWriter<AnyMessage>,
    readonly write: (message: AnyMessage) => Promise<void>,
  ) {}

  get closed() {
    return this.writer.closed
  }

  get ready() {
    return this.writer.ready
  }

  get desiredSize() {
    return this.writer.desiredSize
  }

  getWriter(): this {
    return this
  }

  releaseLock(): void {}

  close(): Promise<void> {
    return this.writer.close()
  }

  abort(reason?: unknown): Promise<void> {
    return this.writer.abort(reason)
  }
}
