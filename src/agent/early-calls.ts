import { HarnessError } from '../cards/index.js'
import { failedResult } from '../registry/index.js'
import type { ToolExecutionResult } from '../registry/types.js'

/** The calls of a turn whose arguments still stream, by the driver's own id, which it may use again later. */
export class EarlyCalls {
  readonly #callIds = new Map<string, string>()
  readonly #nextCallId: () => string

  constructor(nextCallId: () => string) {
    this.#nextCallId = nextCallId
  }

  /** The session-wide id of the call that `id` starts or goes on with. */
  start(id: string): string {
    const callId = this.#callIds.get(id) ?? this.#nextCallId()
    this.#callIds.set(id, callId)
    return callId
  }

  /** The id for a call that is whole now: that of its early card, or a new one. */
  take(id: string | undefined): string {
    const callId = id === undefined ? undefined : this.#callIds.get(id)
    if (id === undefined || callId === undefined) return this.#nextCallId()
    this.#callIds.delete(id)
    return callId
  }

  /** Results for the calls that were started and never made, so that no card stays open (B22). */
  closeRest(): ToolExecutionResult[] {
    if (this.#callIds.size === 0) return []
    const error = new HarnessError('ABORTED_BEFORE_DISPATCH', 'The call was begun and not made.')
    const results = [...this.#callIds.values()].map(callId => failedResult(callId, error))
    this.#callIds.clear()
    return results
  }
}
