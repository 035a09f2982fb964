import type { Context } from 'cordis'
import { type HarnessError, text } from '../../cards/index.js'
import { type ActiveExecution, failedResult, type ToolExecutionResult } from '../../registry/index.js'
import { toHookInput } from './hook-input.js'
import { HookProblems } from './hook-problems.js'
import type { HookOptions } from './options.js'
import { runHook } from './run-hook.js'
import { type SelectableHook, toSelectable } from './select-hooks.js'
import { toVerdict } from './verdict.js'
import { toBrokenRefusal, toRefusal, toWords } from './wording.js'

type Next = () => Promise<ToolExecutionResult>

/** The words of hooks for the model, and the error of one that refuses the call. */
interface Outcome {
  readonly words: string[]
  readonly refusal?: HarnessError
}

/** The listener of tools/execute that runs `hooks` around a call, one after another; the first refusal ends them. */
export function createGate(
  ctx: Context,
  hooks: readonly HookOptions[],
): (exec: ActiveExecution, next: Next) => Promise<ToolExecutionResult> {
  const before = toSelectable(hooks.filter(({ event }) => event === 'before'))
  const after = toSelectable(hooks.filter(({ event }) => event === 'after'))
  const problems = new HookProblems(ctx)

  return async (exec, next) => {
    const first = await runBefore(exec)
    if (first.refusal) return failedResult(exec.callId, first.refusal)
    const result = await next()
    const words = [...first.words, ...(await runAfter(exec, result))]
    return words.length === 0 ? result : { ...result, content: [...result.content, ...words.map(text)] }
  }

  function select(from: readonly SelectableHook[], exec: ActiveExecution) {
    if (from.length === 0) return { effects: undefined, fitting: [] }
    const effects = ctx.tools.forSession(exec.agent?.sessionId).effects(exec.name, exec.arguments)
    return { effects, fitting: from.filter(({ fits }) => fits(exec.name, effects)).map(({ hook }) => hook) }
  }

  async function runBefore(exec: ActiveExecution): Promise<Outcome> {
    const { effects, fitting } = select(before, exec)
    if (fitting.length === 0) return { words: [] }
    const words: string[] = []
    const input = toHookInput('before', exec, effects)
    for (const hook of fitting) {
      const verdict = toVerdict(await runHook(ctx.launcher, hook, exec, input))
      if (exec.signal.aborted) break
      if ('broken' in verdict) {
        problems.report(exec, hook, verdict.broken)
        if (hook.required === true) return { words, refusal: toBrokenRefusal(hook, verdict.broken) }
        continue
      }
      if (verdict.context !== undefined) words.push(toWords(hook, verdict.context))
      if (verdict.denied) return { words, refusal: toRefusal(hook, verdict.denied.reason, words) }
    }
    return { words }
  }

  /** After a call nothing can be refused any more: a reason is told like context. */
  async function runAfter(exec: ActiveExecution, result: ToolExecutionResult): Promise<string[]> {
    const { effects, fitting } = select(after, exec)
    if (fitting.length === 0) return []
    const words: string[] = []
    const input = toHookInput('after', exec, effects, result)
    for (const hook of fitting) {
      if (exec.signal.aborted) break
      const verdict = toVerdict(await runHook(ctx.launcher, hook, exec, input))
      if (exec.signal.aborted) break
      if ('broken' in verdict) problems.report(exec, hook, verdict.broken)
      else {
        const said = [verdict.denied?.reason, verdict.context].filter(part => part !== undefined)
        if (said.length > 0) words.push(toWords(hook, said.join('\n')))
      }
    }
    return words
  }
}
