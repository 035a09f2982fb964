import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { jsonBytes } from '../wire/serialized-size.js'
import { mergeUpdates, outputLength } from './merge-updates.js'

/** Over this much waiting, {@link SendQueue.push} resolves only when the client has read on. */
const HIGH_WATER_BYTES = 1024 * 1024
const HIGH_WATER_UPDATES = 256

export interface SendQueueOptions {
  send: (update: SessionUpdate) => Promise<void>
  /** Called once, with the error of the first send that failed; nothing is sent after it. */
  onError?: (error: unknown) => void
}

interface Waiting {
  update: SessionUpdate
  bytes: number
}

/**
 * Sends updates one after another, each awaited. While a call's last update waits, terminal output and content that follow
 * join it, so that a client which stops reading costs bounded memory.
 */
export class SendQueue {
  readonly #send: SendQueueOptions['send']
  readonly #onError: (error: unknown) => void
  #waiting: Waiting[] = []
  /** The last waiting update of each call. */
  readonly #lastOfCall = new Map<string, Waiting>()
  #waitingBytes = 0
  #isClosed = false
  #running: Promise<void> | undefined
  #onRoom: (() => void)[] = []
  #onClose = () => {}
  readonly #closed = new Promise<void>(resolve => {
    this.#onClose = resolve
  })

  constructor({ send, onError = () => {} }: SendQueueOptions) {
    this.#send = send
    this.#onError = onError
  }

  /** Puts an update at the end. Resolves when there is room for more; never rejects. A closed queue drops it. */
  push(update: SessionUpdate): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    if (!this.#join(update)) {
      const waiting = { update, bytes: weigh(update) }
      this.#waiting.push(waiting)
      this.#waitingBytes += waiting.bytes
      const callId = callIdOf(update)
      if (callId !== undefined) this.#lastOfCall.set(callId, waiting)
    }
    this.#running ??= this.#run()
    return this.#isOverHighWater() ? new Promise(resolve => this.#onRoom.push(resolve)) : Promise.resolve()
  }

  /** Resolves when all that was pushed has been sent, or the queue is closed or broken. */
  async flush(): Promise<void> {
    // A send to a client that reads no more may never end: close lets go of it.
    while (this.#running && !this.#isClosed) await Promise.race([this.#running, this.#closed])
  }

  /** Drops what waits and lets everybody go who waits. Idempotent. */
  close(): void {
    this.#isClosed = true
    this.#waiting = []
    this.#lastOfCall.clear()
    this.#waitingBytes = 0
    this.#giveRoom()
    this.#onClose()
  }

  #join(update: SessionUpdate): boolean {
    const callId = callIdOf(update)
    const last = callId === undefined ? undefined : this.#lastOfCall.get(callId)
    const merged = last && mergeUpdates(last.update, update)
    if (!last || !merged) return false
    const bytes = weigh(update) + (merged === update ? 0 : last.bytes)
    this.#waitingBytes += bytes - last.bytes
    last.update = merged
    last.bytes = bytes
    return true
  }

  async #run(): Promise<void> {
    // What comes in the same tick may still join.
    await Promise.resolve()
    for (let next = this.#take(); next; next = this.#take()) {
      try {
        await this.#send(next)
      } catch (error) {
        // EPIPE and the like: the client is gone, and no later update can reach it.
        const isFirst = !this.#isClosed
        this.close()
        if (isFirst) this.#onError(error)
      }
      if (!this.#isOverHighWater()) this.#giveRoom()
    }
    this.#running = undefined
  }

  #take(): SessionUpdate | undefined {
    const next = this.#waiting.shift()
    if (!next) return undefined
    this.#waitingBytes -= next.bytes
    const callId = callIdOf(next.update)
    if (callId !== undefined && this.#lastOfCall.get(callId) === next) this.#lastOfCall.delete(callId)
    return next.update
  }

  #isOverHighWater(): boolean {
    return this.#waitingBytes > HIGH_WATER_BYTES || this.#waiting.length > HIGH_WATER_UPDATES
  }

  #giveRoom(): void {
    const waiters = this.#onRoom
    this.#onRoom = []
    for (const resolve of waiters) resolve()
  }
}

/** About what an update takes up while it waits. Output is measured by its length alone: it comes in floods. */
function weigh(update: SessionUpdate): number {
  return outputLength(update) ?? jsonBytes(update)
}

function callIdOf(update: SessionUpdate): string | undefined {
  return update.sessionUpdate === 'tool_call_update' || update.sessionUpdate === 'tool_call'
    ? update.toolCallId
    : undefined
}
