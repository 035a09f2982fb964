import type { ActiveExecution } from '../../registry/index.js'
import { CallLimit } from './call-limit.js'

export interface RunningCall {
  readonly exec: ActiveExecution
  readonly limit: CallLimit
  /** Aborts the request: cancel, the time limit. */
  readonly stop: AbortController
}

/** The calls that a server works on. */
export class RunningCalls {
  readonly #calls = new Set<RunningCall>()

  begin(exec: ActiveExecution, limitMs: number): RunningCall {
    const stop = new AbortController()
    const limit = new CallLimit(limitMs, () => stop.abort(new Error('time limit')))
    const call = { exec, limit, stop }
    this.#calls.add(call)
    return call
  }

  end(call: RunningCall): void {
    call.limit.end()
    this.#calls.delete(call)
  }

  /** The one that the server must mean when it asks for something: the last to begin. */
  latest(): RunningCall | undefined {
    return [...this.#calls].at(-1)
  }
}
