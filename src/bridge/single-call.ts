import { randomUUID } from 'node:crypto'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import { type Driver, runTurn } from '../agent/index.js'
import type { JsonValue } from '../cards/index.js'
import type { ToolExecutionResult } from '../registry/index.js'
import type { ClientProfile } from './render/profile.js'
import { SessionView } from './sessions/session-view.js'

export interface SingleCallOptions {
  ctx: Context
  name: string
  /** JSON text or a value. */
  arguments: JsonValue
  /** Absolute. */
  cwd: string
  profile: ClientProfile
  signal: AbortSignal
  onUpdate: (update: SessionUpdate) => void
}

/** One call outside of any session, through the waterfall and the renderer, as a session would run and show it. */
export async function runSingleCall(options: SingleCallOptions): Promise<ToolExecutionResult | undefined> {
  const { ctx, cwd, profile, signal, onUpdate } = options
  const sessionId = randomUUID()
  const place = { cwd, roots: [cwd] }
  const send = async (_sessionId: string, update: SessionUpdate) => onUpdate(update)
  const view = await SessionView.open({ sessionId, place, profile, presenter: ctx.tools, send, log: () => {} }, 'live')
  let result: ToolExecutionResult | undefined
  const driver: Driver = {
    async *run() {
      const results = yield {
        type: 'calls',
        calls: [{ name: options.name, arguments: options.arguments, origin: 'user' }],
      }
      result = results?.[0]
      return 'end_turn'
    },
  }
  await runTurn({
    tools: ctx.tools.forSession(sessionId),
    driver,
    agent: { sessionId, ...place },
    prompt: [],
    turnId: 'turn-1',
    signal,
    emit: event => view.push(event),
    nextCallId: () => 'call-1',
  })
  await view.flush()
  await ctx.launcher.release(sessionId)
  // Nobody can undo a call that belongs to no session.
  await ctx.get('checkpoints')?.forget(sessionId)
  return result
}
