import { HarnessError, isHarnessError } from '../cards/index.js'
import type { SessionEvent } from '../session/events.js'

type Emit = (event: SessionEvent) => void | Promise<void>

/**
 * Hands the events of a turn on, one after another, in the order of the calls to `record`. After the first failure it hands
 * on nothing more and calls `onFailure` once.
 */
export class TurnRecorder {
  readonly #emit: Emit
  readonly #onFailure: (error: HarnessError) => void
  #queue: Promise<void> = Promise.resolve()
  #failed = false

  constructor(emit: Emit, onFailure: (error: HarnessError) => void) {
    this.#emit = emit
    this.#onFailure = onFailure
  }

  /** Settles when the event, and all before it, have been handed on or dropped. Never rejects. */
  record(event: SessionEvent | (() => SessionEvent)): Promise<void> {
    this.#queue = this.#queue.then(() => this.#handOn(typeof event === 'function' ? event() : event))
    return this.#queue
  }

  /** The last event: tried also after a failure, which may have been of that one event. Never rejects. */
  async end(event: SessionEvent): Promise<void> {
    await this.#queue
    if (!this.#failed) return this.#handOn(event)
    try {
      await this.#emit(event)
    } catch {
      // The failure before it is the one that is reported.
    }
  }

  async #handOn(event: SessionEvent): Promise<void> {
    if (this.#failed) return
    try {
      await this.#emit(event)
    } catch (error) {
      this.#failed = true
      this.#onFailure(toLogError(error))
    }
  }
}

function toLogError(error: unknown): HarnessError {
  if (isHarnessError(error)) return error
  return new HarnessError('LOG_FAILED', 'The session could not be recorded, so nothing more was run.', { cause: error })
}
