import type { Message } from './check-frame.js'

/** Requests of one side that are remembered while they wait, and prompts after their answer. */
const MAX_REMEMBERED = 10_000

export interface PendingRequest {
  method: string
  sessionId?: string
  toolCallId?: string
  /** A cancel came while it ran. */
  isCancelled: boolean
}

/** The requests of one side that have no answer yet, by their JSON-RPC id. */
export class PendingRequests {
  readonly #waiting = new Map<string, PendingRequest>()
  readonly #answeredPrompts = new Set<string>()

  add(id: unknown, request: PendingRequest): void {
    this.#answeredPrompts.delete(toKey(id))
    this.#waiting.set(toKey(id), request)
    if (this.#waiting.size > MAX_REMEMBERED) this.#waiting.delete([...this.#waiting.keys()][0] ?? '')
  }

  has(id: unknown): boolean {
    return this.#waiting.has(toKey(id))
  }

  /** The request that a response answers; 'again' for a prompt that was answered before. */
  take({ id }: Message): PendingRequest | 'again' | undefined {
    const key = toKey(id)
    const request = this.#waiting.get(key)
    this.#waiting.delete(key)
    if (request?.method === 'session/prompt') {
      this.#answeredPrompts.add(key)
      if (this.#answeredPrompts.size > MAX_REMEMBERED) this.#answeredPrompts.delete([...this.#answeredPrompts][0] ?? '')
    }
    return request ?? (this.#answeredPrompts.has(key) ? 'again' : undefined)
  }

  /** Marks the prompts of a session, or the request of one id, as cancelled. */
  cancel(which: { sessionId: string } | { id: unknown }): void {
    if ('id' in which) {
      const request = this.#waiting.get(toKey(which.id))
      if (request) request.isCancelled = true
      return
    }
    for (const request of this.#waiting.values())
      if (request.method === 'session/prompt' && request.sessionId === which.sessionId) request.isCancelled = true
  }

  prompts(): PendingRequest[] {
    return [...this.#waiting.values()].filter(request => request.method === 'session/prompt')
  }
}

// 1 and "1" are two ids.
function toKey(id: unknown): string {
  return JSON.stringify(id) ?? ''
}
