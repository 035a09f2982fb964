import { AskQueue } from './ask-queue.js'
import type { Mode } from './modes.js'

/** How a call that had to wait may go on, or why it may not. */
export type Admission =
  | { readonly type: 'admitted'; readonly granted: readonly string[] }
  | { readonly type: 'refused'; readonly error: unknown }

/** What holds in one session while it is open. */
export class SessionState {
  readonly rejected = new Set<string>()
  readonly questions = new AskQueue<Admission>()

  #calls = 0

  constructor(public mode: Mode) {}

  /** The place of a call among those of the session: they are asked about in the order in which they came. */
  nextOrder(): number {
    return ++this.#calls
  }
}
