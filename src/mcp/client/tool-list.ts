import type { Context } from 'cordis'
import type { ToolDefinition } from '../../registry/index.js'

/** Registered in one go; other work gets its turn between them. */
const SLICE = 50

interface Registered {
  readonly key: string
  readonly dispose: () => void
}

/** The tools of one server in one session. */
export class ToolList {
  readonly #ctx: Context
  readonly #sessionId: string
  readonly #registered = new Map<string, Registered>()

  constructor(ctx: Context, sessionId: string) {
    this.#ctx = ctx
    this.#sessionId = sessionId
  }

  get size(): number {
    return this.#registered.size
  }

  /** Names that other tools have, of the session or of everybody. */
  readonly taken = {
    has: (name: string): boolean =>
      !this.#registered.has(name) && this.#ctx.tools.forSession(this.#sessionId).get(name) !== undefined,
  }

  /** Makes these the tools; one that is as it was stays, so that nobody is told of a change that is none. */
  async replace(definitions: readonly ToolDefinition[], signal: AbortSignal): Promise<void> {
    const wanted = new Map(definitions.map(definition => [definition.name, definition]))
    for (const [name, { key, dispose }] of this.#registered) {
      const definition = wanted.get(name)
      if (definition && toKey(definition) === key) wanted.delete(name)
      else {
        this.#registered.delete(name)
        dispose()
      }
    }
    let count = 0
    for (const [name, definition] of wanted) {
      if (++count % SLICE === 0) await new Promise(resolve => setImmediate(resolve))
      if (signal.aborted) return
      if (this.taken.has(name)) continue
      const dispose = this.#ctx.tools.register(definition, { sessionId: this.#sessionId })
      this.#registered.set(name, { key: toKey(definition), dispose })
    }
  }

  clear(): void {
    for (const { dispose } of this.#registered.values()) dispose()
    this.#registered.clear()
  }
}

function toKey({ description, parameters, presentedBy, providedBy }: ToolDefinition): string {
  return JSON.stringify([description, parameters, presentedBy, providedBy])
}
