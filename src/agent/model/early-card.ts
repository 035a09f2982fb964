import type { JsonValue } from '../../cards/index.js'
import type { SessionTools } from '../../registry/index.js'
import { PartialObject } from './partial-object.js'

/** The card of one call while its arguments stream. */
export class EarlyCard {
  readonly #arguments = new PartialObject()
  readonly #present: (args: { [key: string]: JsonValue }) => unknown
  #shown = ''

  constructor(tools: Pick<SessionTools, 'presentPartial'>, name: string) {
    this.#present = args => tools.presentPartial(name, args)
  }

  /** Takes more of the arguments; gives those that are complete if the card looks different now. */
  push(text: string): { [key: string]: JsonValue } | undefined {
    if (!this.#arguments.push(text)) return undefined
    const args = this.#arguments.toObject()
    const view = this.#present(args)
    const shown = view === undefined ? '' : JSON.stringify(view)
    if (shown === this.#shown) return undefined
    this.#shown = shown
    return args
  }
}
