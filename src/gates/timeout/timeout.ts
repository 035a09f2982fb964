import type { Context } from 'cordis'
import { HarnessError } from '../../cards/index.js'
import type { ToolEffects } from '../../registry/index.js'
import { type NarrowedSignal, narrowSignal } from './narrow-signal.js'

export const name = 'timeout'
export const inject = ['tools']

/** Limits for calls of a model, in milliseconds; 0 or absent: no limit. */
export interface TimeoutOptions {
  /** For every call. */
  callMs?: number
  /** For calls with this effect. A call with several gets the longest; one of them without a limit means none. */
  readsMs?: number
  writesMs?: number
  runsMs?: number
  networkMs?: number
  /** For calls that declare no effects: they may do anything. */
  undeclaredMs?: number
}

/** Above the longest that the shipped command tool itself allows, so that its own word about a timeout comes first. */
const DEFAULT_CALL_MS = 35 * 60_000
/** Beyond it a timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Ends calls of a model that take too long: their signal is aborted with TIMED_OUT. What a user typed has no limit, and the
 * time in which a call waits for its user does not count.
 */
export function apply(ctx: Context, options: TimeoutOptions = {}): void {
  const { forSession } = ctx.tools
  const running = new Map<string, NarrowedSignal>()
  ctx.on('tools/wait', (call, answered) => running.get(toKey(call.sessionId, call.callId))?.pauseUntil(answered))
  ctx.on('tools/execute', async (exec, next) => {
    if (exec.agent?.origin !== 'model' || exec.signal.aborted) return next()
    const limitMs = toLimit(forSession(exec.agent.sessionId).effects(exec.name, exec.arguments), options)
    if (limitMs === undefined) return next()
    const narrowed = narrowSignal(exec.signal, limitMs, () => toTimeout(limitMs))
    exec.signal = narrowed.signal
    const key = toKey(exec.agent.sessionId, exec.callId)
    running.set(key, narrowed)
    try {
      return await next()
    } finally {
      running.delete(key)
      narrowed.release()
    }
  })
}

function toKey(sessionId: string, callId: string): string {
  return `${sessionId} ${callId}`
}

/** The limit of a call with these effects; undefined: none. */
function toLimit(effects: ToolEffects | undefined, options: TimeoutOptions): number | undefined {
  const { callMs = DEFAULT_CALL_MS } = options
  const limits = [callMs, limitOfKinds(effects, options)].filter(ms => ms > 0)
  return limits.length === 0 ? undefined : Math.min(...limits, MAX_TIMER_MS)
}

function limitOfKinds(effects: ToolEffects | undefined, options: TimeoutOptions): number {
  if (effects === undefined) return options.undeclaredMs ?? 0
  const { reads, writes, runs, network } = effects
  const kinds: [isPresent: boolean, limitMs: number | undefined][] = [
    [reads !== undefined && reads.length > 0, options.readsMs],
    [writes !== undefined && writes.length > 0, options.writesMs],
    [runs !== undefined, options.runsMs],
    [network === true || (network !== undefined && network.length > 0), options.networkMs],
  ]
  const limits = kinds.filter(([isPresent]) => isPresent).map(([, limitMs]) => limitMs ?? 0)
  return limits.includes(0) ? 0 : Math.max(0, ...limits)
}

function toTimeout(limitMs: number): HarnessError {
  const limit = limitMs % 1000 === 0 ? `${limitMs / 1000} s` : `${limitMs} ms`
  return new HarnessError(
    'TIMED_OUT',
    `Stopped: the call took longer than ${limit}, the limit of the section timeouts.`,
  )
}
