import type { RequestPermissionRequest, RequestPermissionResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import type { Context, Plugin } from 'cordis'
import type { Driver, DriverCall, DriverStep } from '../../src/agent/index.js'
import type { JsonValue } from '../../src/cards/index.js'
import type { ToolExecutionResult } from '../../src/registry/index.js'
import { SessionStore } from '../../src/session/index.js'
import { rawTool } from '../registry/support.js'
import { type ConnectedAgent, type ConnectOptions, connect } from './connected-agent.js'

export type Call = [name: string, args: { [key: string]: JsonValue }]

export interface Dialog {
  request: RequestPermissionRequest
  signal: AbortSignal
}

export interface ConnectedAsked extends ConnectedAgent {
  /** The requests of permission so far. */
  dialogs: Dialog[]
  /** What the driver got for its calls, prompt by prompt. */
  results: ToolExecutionResult[][]
}

export type Answer = (dialog: Dialog, index: number) => RequestPermissionResponse | Promise<RequestPermissionResponse>

export const select =
  (optionId: string): Answer =>
  () => ({ outcome: { outcome: 'selected', optionId } })
export const cancelled: Answer = () => ({ outcome: { outcome: 'cancelled' } })
export const never: Answer = () => new Promise(() => {})

/** An agent whose model makes these calls in one step at each prompt, and a user who answers its questions. */
export async function connectAsked(
  calls: readonly Call[] | ((cwd: string) => readonly Call[]),
  answer: Answer | null,
  options: ConnectOptions = {},
): Promise<ConnectedAsked> {
  const dialogs: Dialog[] = []
  const results: ToolExecutionResult[][] = []
  const driver = (): Driver => ({
    async *run({ agent }) {
      const list = typeof calls === 'function' ? calls(agent.cwd) : calls
      const got = yield toStep(list)
      results.push(got ?? [])
      yield { type: 'text', messageId: 'm', text: 'over' }
      return 'end_turn'
    },
  })
  const anything: Plugin = {
    name: 'anything',
    inject: ['tools'],
    apply(ctx: Context) {
      ctx.tools.register(rawTool('anything'))
    },
  }
  const connected = await connect({
    driver,
    ...options,
    plugins: [anything, ...(options.plugins ?? [])],
    ...(answer && {
      answer: async (request, signal) => {
        dialogs.push({ request, signal })
        return answer({ request, signal }, dialogs.length - 1)
      },
    }),
  })
  return Object.assign(connected, { dialogs, results })
}

function toStep(calls: readonly Call[]): DriverStep {
  const list: DriverCall[] = calls.map(([name, args], index) => ({
    id: `m${index}`,
    name,
    arguments: args,
    origin: 'model',
  }))
  return { type: 'calls', calls: list }
}

/** The frames of the turn in short, calls numbered in the order in which they came: `1 pending`, `1 asked`, `1 completed`. */
export function outline({ frames }: ConnectedAgent): string[] {
  const numbers = new Map<string, number>()
  const number = (id: string) => numbers.get(id) ?? numbers.set(id, numbers.size + 1).get(id)
  return frames.flatMap(({ dir, msg }) => {
    const { method, params } = msg as { method?: string; params?: Record<string, never> }
    if (dir === 'in') return []
    if (method === 'session/request_permission')
      return [`${number((params as unknown as RequestPermissionRequest).toolCall.toolCallId)} asked`]
    if (method === '$/cancel_request') return ['taken back']
    if (method !== 'session/update') return []
    const update = (params as unknown as { update: SessionUpdate }).update
    if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update')
      return [`${number(update.toolCallId)} ${update.status}`]
    if (update.sessionUpdate === 'current_mode_update') return [`mode ${update.currentModeId}`]
    if (update.sessionUpdate === 'config_option_update') return ['options']
    if (update.sessionUpdate === 'agent_message_chunk') return ['text']
    return []
  })
}

/** The events of a session's log, from the file. */
export async function logged({ stateDir }: ConnectedAgent, sessionId: string) {
  const reading = await new SessionStore(stateDir).read(sessionId)
  const events = []
  for await (const batch of reading.batches) events.push(...batch)
  return events
}
