import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { toClientProfile } from '../../src/bridge/render/profile.js'
import { SessionStream } from '../../src/bridge/sessions/session-stream.js'
import type { ContentBlock, JsonValue, ToolCallView, ToolResultView } from '../../src/cards/index.js'
import type { SessionEvent } from '../../src/session/events.js'
import { expectValidUpdates } from '../support/schema.js'
import { scriptedPresenter } from './scripted-session.js'

export const PLAIN = {}
export const ZED = { _meta: { terminal_output: true } }
export const DELTA = { _meta: { terminal_output_delta: true } }

export type CallUpdate = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>

export interface OneCall {
  call?: ToolCallView
  result?: ToolResultView
  early?: ToolCallView
  /** Default: one text `done`. */
  content?: ContentBlock[]
  output?: string[]
  progress?: ContentBlock[]
  /** The failure's code. */
  code?: string
  meta?: JsonValue
  /** Default true. */
  runs?: boolean
  /** Default true. */
  ends?: boolean
}

/** The events of one call of the tool `one`, with the id `c1`. */
export function callEvents(script: OneCall): SessionEvent[] {
  const { early, call, result, code, runs = true, ends = true } = script
  const args = JSON.parse(JSON.stringify({ early, call, result })) as { [key: string]: JsonValue }
  const callId = 'c1'
  return [
    ...(early ? [{ type: 'tool/start', callId, name: 'one', arguments: args } as const] : []),
    { type: 'tool/call', callId, name: 'one', arguments: args, origin: 'model' },
    ...(runs ? [{ type: 'tool/running', callId } as const] : []),
    ...(script.output ?? []).map(output => ({ type: 'tool/progress', callId, output }) as const),
    ...(script.progress ? [{ type: 'tool/progress', callId, content: script.progress } as const] : []),
    ...(ends
      ? [
          {
            type: 'tool/result',
            callId,
            content: script.content ?? [{ type: 'text', text: 'done' }],
            isError: code !== undefined,
            ...(code === undefined ? {} : { error: { name: 'HarnessError', code } }),
            ...(script.meta === undefined ? {} : { meta: script.meta }),
          } as const,
        ]
      : []),
  ]
}

/** What a client gets of these events, each update checked against the protocol's schema. */
export async function runSession(
  events: SessionEvent[],
  capabilities: object = PLAIN,
  mode: 'live' | 'replay' = 'live',
  reports: string[] = [],
): Promise<SessionUpdate[]> {
  const updates: SessionUpdate[] = []
  const stream = new SessionStream({
    profile: toClientProfile(capabilities),
    presenter: scriptedPresenter,
    place: { cwd: '/w', roots: ['/w'] },
    windows: false,
    mode,
    send: async update => {
      updates.push(update)
    },
    report: problem => reports.push(problem),
  })
  for (const event of events) await stream.push(event)
  await stream.goLive({ isRunning: false })
  stream.close()
  expectValidUpdates(updates)
  return updates
}

/** The updates of one call; the first is its tool_call. */
export async function runCall(script: OneCall, capabilities: object = PLAIN): Promise<[CallUpdate, ...CallUpdate[]]> {
  return (await runSession(callEvents(script), capabilities)) as [CallUpdate, ...CallUpdate[]]
}

/** The last update of one call, as a replay has it: live, progress has shown some of it before. */
export async function endOfCall(script: OneCall, capabilities: object = PLAIN): Promise<CallUpdate> {
  return (await runSession(callEvents(script), capabilities, 'replay')).at(-1) as CallUpdate
}

/** The text blocks of an update's content. */
export function textsOf(update: CallUpdate): string[] {
  return (update.content ?? []).map(item =>
    item.type === 'content' && item.content.type === 'text' ? item.content.text : `<${item.type}>`,
  )
}
