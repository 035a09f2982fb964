import type { Context } from 'cordis'
import { type Driver, type DriverStep, runTurn, type TurnOptions, type TurnOutcome } from '../../src/agent/index.js'
import { text } from '../../src/cards/index.js'
import type { ToolExecutionResult } from '../../src/registry/index.js'
import type { SessionEvent, StopReason } from '../../src/session/index.js'
import { rawTool, startRegistry } from '../registry/support.js'

export type Script = ReturnType<Driver['run']>

export interface TurnBench {
  ctx: Context
  events: SessionEvent[]
  /** Aborts the turn. */
  cancel(): void
  run(script: (signal: AbortSignal) => Script, options?: Partial<TurnOptions>): Promise<TurnOutcome>
}

/** A registry with the tools `ok`, `fails` and `hangs` (until its signal), and a turn that keeps its events. */
export async function openTurnBench(): Promise<TurnBench> {
  const ctx = await startRegistry({ abortGraceMs: 20 })
  ctx.tools.register(rawTool('ok'))
  ctx.tools.register(rawTool('fails', { execute: () => Promise.reject(new Error('no luck')) }))
  ctx.tools.register(
    rawTool('hangs', {
      execute: (_args, exec) =>
        new Promise((_, reject) => exec.signal.addEventListener('abort', () => reject(exec.signal.reason))),
    }),
  )
  const events: SessionEvent[] = []
  const controller = new AbortController()
  let calls = 0
  return {
    ctx,
    events,
    cancel: () => controller.abort(),
    run: (script, options = {}) =>
      runTurn({
        tools: ctx.tools,
        driver: { run: turn => script(turn.signal) },
        agent: { sessionId: 's', cwd: '/w', roots: ['/w'] },
        prompt: [text('go')],
        turnId: 't1',
        signal: controller.signal,
        emit: event => void events.push(event),
        nextCallId: () => `c${++calls}`,
        driverGraceMs: 20,
        ...options,
      }),
  }
}

/** A script that yields these steps and keeps what it receives. */
export function scripted(
  steps: readonly DriverStep[],
  stopReason: StopReason = 'end_turn',
  received: (ToolExecutionResult[] | undefined)[] = [],
) {
  return async function* (): Script {
    for (const step of steps) received.push(yield step)
    return stopReason
  }
}

export function calls(...names: string[]): DriverStep {
  return { type: 'calls', calls: names.map(name => ({ id: `m-${name}`, name, arguments: {}, origin: 'model' })) }
}

/** Events in short: `tool/call c1 ok`, `tool/result c1 ABORTED`. */
export function outline(events: readonly SessionEvent[]): string[] {
  return events.map(event => {
    switch (event.type) {
      case 'tool/call':
      case 'tool/start':
        return `${event.type} ${event.callId} ${event.name}`
      case 'tool/running':
        return `${event.type} ${event.callId}`
      case 'tool/progress':
        return `${event.type} ${event.callId} ${event.output ?? 'content'}`
      case 'tool/result':
        return `${event.type} ${event.callId} ${event.error?.code ?? (event.isError ? 'error' : 'ok')}`
      case 'turn/end':
        return `${event.type} ${event.stopReason}`
      case 'assistant/message':
      case 'assistant/thought':
      case 'note':
        return `${event.type} ${event.text}`
      default:
        return event.type
    }
  })
}
