import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { Context, type Fiber, type Plugin } from 'cordis'
import { expect, onTestFinished } from 'vitest'
import { runTurn } from '../../src/agent/index.js'
import { toClientProfile } from '../../src/bridge/render/profile.js'
import { SessionView } from '../../src/bridge/sessions/session-view.js'
import { text } from '../../src/cards/index.js'
import { type Config, defaultConfig } from '../../src/config/index.js'
import { shippedGates } from '../../src/gates/index.js'
import type { Approver, ToolExecutionResult } from '../../src/registry/index.js'
import { ToolRegistry } from '../../src/registry/index.js'
import type { SessionEvent, StopReason } from '../../src/session/index.js'
import { Files, launcherPlugin } from '../../src/workspace/index.js'
import { rawTool } from '../registry/support.js'
import { expectValidUpdates } from '../support/schema.js'

export interface GateBenchOptions {
  config?: (config: Config) => void
  approver?: Approver
}

export interface GateRun {
  result: ToolExecutionResult
  stopReason: StopReason
  events: SessionEvent[]
  /** What a client got for the one call, in order. */
  statuses: string[]
}

export interface GateBench {
  ctx: Context
  gate: Fiber
  /** How often the tool's body has started. */
  bodies(): number
  /** A body that runs until it is let go or its signal fires. */
  letGo(): void
  /** One turn with one call of the tool `work`, as a model makes it. */
  run(args?: object, signal?: AbortSignal): Promise<GateRun>
}

/** The names of the shipped gates, outermost first. */
export function gateNames(): string[] {
  return shippedGates({ config: defaultConfig(), stateDir: '/state' }).map(({ name }) => name ?? '')
}

/** One of the shipped gates alone around a tool `work`, which changes a file and waits if it is told to. */
export async function openGateBench(name: string, options: GateBenchOptions = {}): Promise<GateBench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-gate-')))
  const cwd = join(root, 'w')
  await mkdir(cwd)
  const ctx = new Context()
  onTestFinished(async () => {
    await ctx.fiber.dispose()
    await rm(root, { recursive: true, force: true })
  })
  const config = defaultConfig()
  options.config?.(config)
  for (const service of [ToolRegistry, Files, launcherPlugin]) await ctx.plugin(service)
  if (options.approver) ctx.provide('approver', options.approver)
  const plugin = shippedGates({ config, stateDir: join(root, 'state') }).find(gate => gate.name === name) as Plugin
  const gate = (await ctx.plugin(plugin)) as Fiber
  let bodies = 0
  let letGo = () => {}
  const released = new Promise<void>(resolve => {
    letGo = resolve
  })
  ctx.tools.register(
    rawTool('work', {
      effects: args => ({ writes: ['a.txt'], ...(args.runs ? { runs: 'true' } : {}) }),
      async execute(args, exec) {
        bodies++
        if (args.waits) {
          await Promise.race([
            released,
            new Promise((_, reject) => exec.signal.addEventListener('abort', () => reject(exec.signal.reason))),
          ])
        }
        if (args.fails) throw new Error('no luck')
        return { content: [text('done')], meta: { fact: 1 } }
      },
    }),
  )
  return { ctx, gate, bodies: () => bodies, letGo, run: (args, signal) => runOne(ctx, cwd, args, signal) }
}

async function runOne(
  ctx: Context,
  cwd: string,
  args: object = {},
  signal = new AbortController().signal,
): Promise<GateRun> {
  const events: SessionEvent[] = []
  const updates: SessionUpdate[] = []
  const place = { cwd, roots: [cwd] }
  const sessionId = 'gate-session'
  const view = await SessionView.open(
    {
      sessionId,
      place,
      profile: toClientProfile({}),
      presenter: ctx.tools,
      send: async (_id, update) => void updates.push(update),
      log: () => {},
    },
    'live',
  )
  let result: ToolExecutionResult | undefined
  const { stopReason } = await runTurn({
    tools: {
      presentCall: (...call) => ctx.tools.presentCall(...call),
      isConcurrencySafe: (...call) => ctx.tools.isConcurrencySafe(...call),
      async execute(exec) {
        result = await ctx.tools.execute(exec)
        return result
      },
    },
    driver: {
      async *run() {
        yield { type: 'calls', calls: [{ name: 'work', arguments: { ...args }, origin: 'model' }] }
        return 'end_turn'
      },
    },
    agent: { sessionId, ...place },
    prompt: [text('go')],
    turnId: 'turn-1',
    signal,
    emit: event => {
      events.push(event)
      return view.push(event)
    },
    nextCallId: () => 'call-1',
  })
  await view.flush()
  view.close()
  expectValidUpdates(updates)
  if (!result) throw new Error('the call has no result')
  const statuses = updates.flatMap(update =>
    update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update' ? [update.status ?? ''] : [],
  )
  const finals = statuses.filter(status => status === 'completed' || status === 'failed')
  // The rules that hold on every path: one final status, the last of all, and one result in the log.
  expect(finals).toEqual([statuses.at(-1)])
  expect(events.filter(({ type }) => type === 'tool/result')).toHaveLength(1)
  return { result, stopReason, events, statuses }
}
