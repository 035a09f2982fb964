import type { ToolExecutionResult } from '../registry/types.js'
import type { StopReason } from '../session/events.js'
import type { Driver, DriverStep, DriverTurn } from './driver.js'

type Next = IteratorResult<DriverStep, StopReason>

/** The steps of a driver, with an end to every wait: once the signal is aborted the driver has `graceMs` to settle. */
export class DriverSteps {
  readonly #signal: AbortSignal
  readonly #graceMs: number
  readonly #generator: ReturnType<Driver['run']>
  #pending = false

  constructor(driver: Driver, turn: DriverTurn, graceMs: number) {
    this.#signal = turn.signal
    this.#graceMs = graceMs
    this.#generator = driver.run(turn)
  }

  /** The next step; undefined for a driver that hangs after the abort. Rejects if the driver throws. */
  async next(results: ToolExecutionResult[] | undefined): Promise<Next | undefined> {
    this.#pending = true
    const next = this.#generator.next(results).finally(() => {
      this.#pending = false
    })
    return this.#orAbandon(next)
  }

  /** Lets the driver clean up. A driver that is still busy gets its end whenever it settles, and is not waited for. */
  async close(): Promise<void> {
    const busy = this.#pending
    const closed = this.#generator.return('cancelled').then(
      () => undefined,
      () => undefined,
    )
    if (busy) return
    const grace = this.#grace()
    await Promise.race([closed, grace.over])
    grace.cancel()
  }

  async #orAbandon(next: Promise<Next>): Promise<Next | undefined> {
    let grace: Grace | undefined
    let onAbort = () => {}
    const abandoned = new Promise<undefined>(resolve => {
      onAbort = () => {
        grace = this.#grace()
        grace.over.then(resolve)
      }
    })
    if (this.#signal.aborted) onAbort()
    else this.#signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([next, abandoned])
    } finally {
      grace?.cancel()
      this.#signal.removeEventListener('abort', onAbort)
      // What an abandoned driver throws later has no reader.
      next.catch(() => {})
    }
  }

  #grace(): Grace {
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<undefined>(resolve => {
      timer = setTimeout(resolve, this.#graceMs, undefined)
    })
    return { over, cancel: () => clearTimeout(timer) }
  }
}

interface Grace {
  over: Promise<undefined>
  cancel(): void
}
