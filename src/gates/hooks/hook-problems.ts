import type { Context } from 'cordis'
import type { ActiveExecution } from '../../registry/index.js'
import type { HookOptions } from './options.js'
import { toHookName } from './wording.js'

const MAX_TOLD = 1000

/** Tells of hooks that do not work: each time in the log, and once per session in the thread. */
export class HookProblems {
  readonly #ctx: Context
  readonly #told = new Set<string>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  report({ agent }: ActiveExecution, hook: HookOptions, problem: string): void {
    const words = `The ${hook.event} hook ${toHookName(hook)} does not work: ${problem}`
    this.#ctx.logger('hooks').warn('%s', words)
    if (agent === undefined) return
    const key = JSON.stringify([agent.sessionId, hook.event, hook.command])
    if (this.#told.has(key)) return
    if (this.#told.size >= MAX_TOLD) this.#told.clear()
    this.#told.add(key)
    this.#ctx.get('approver')?.note(agent, words)
  }
}
