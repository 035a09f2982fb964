import type { SessionUpdate } from '@agentclientprotocol/sdk'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WireFrame } from '../../src/bridge/check/check-frame.js'
import { WireChecker } from '../../src/bridge/check/checker.js'
import { toClientProfile } from '../../src/bridge/render/profile.js'
import { SessionStream } from '../../src/bridge/sessions/session-stream.js'
import type { SessionEvent } from '../../src/session/events.js'
import { foldUpdates } from '../support/fold.js'
import { expectValidFrames, toUpdateFrame } from '../support/schema.js'
import { scriptedPresenter, sessionEvents } from './scripted-session.js'

const clients = {
  plain: {},
  'Zed-like': { _meta: { terminal_output: true } },
  delta: { _meta: { terminal_output_delta: true } },
}

interface Seen {
  frames: WireFrame[]
  updates: SessionUpdate[]
}

/** Delays of a run, in fake time: between events, and of each send. */
interface Pace {
  pauses: number[]
  sends: number[]
}

async function play(events: SessionEvent[], capabilities: object, mode: 'live' | 'replay', pace: Pace): Promise<Seen> {
  const seen: Seen = { frames: [], updates: [] }
  const frame = (dir: 'in' | 'out', msg: object) => seen.frames.push({ dir, msg: { jsonrpc: '2.0', ...msg } })
  let sends = 0
  const stream = new SessionStream({
    profile: toClientProfile(capabilities),
    presenter: scriptedPresenter,
    place: { cwd: '/w', roots: ['/w', '/x/lib'] },
    windows: false,
    mode,
    send: async update => {
      const delay = pace.sends[sends++ % pace.sends.length] ?? 0
      if (delay > 0) await new Promise(resolve => setTimeout(resolve, delay))
      seen.updates.push(update)
      seen.frames.push(toUpdateFrame(update))
    },
  })
  frame('in', { id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: capabilities } })
  const isReplay = mode === 'replay'
  const params = { sessionId: 's1', cwd: '/w', mcpServers: [] }
  frame('in', { id: 1, method: isReplay ? 'session/load' : 'session/new', params })
  if (!isReplay) frame('out', { id: 1, result: { sessionId: 's1' } })
  let isPrompting = false
  const answer = async () => {
    await stream.flush()
    if (isPrompting) frame('out', { id: 2, result: { stopReason: 'end_turn' } })
    isPrompting = false
  }
  const ask = async (callId: string, id: number) => {
    const toolCall = stream.permissionCall(callId)
    await stream.flush()
    if (!toolCall) return
    // The client takes the call of the request as it takes an update.
    seen.updates.push({ sessionUpdate: 'tool_call_update', ...toolCall })
    frame('out', { id, method: 'session/request_permission', params: { sessionId: 's1', options: [], toolCall } })
    frame('in', { id, result: { outcome: { outcome: 'selected', optionId: 'allow' } } })
  }
  for (const [index, event] of events.entries()) {
    if (!isReplay && !isPrompting) {
      isPrompting = true
      frame('in', { id: 2, method: 'session/prompt', params: { sessionId: 's1', prompt: [] } })
    }
    await stream.push(event)
    if (!isReplay && event.type === 'permission/asked') await ask(event.callId, 100 + index)
    if (!isReplay && event.type === 'turn/end') await answer()
    const pause = pace.pauses[index % pace.pauses.length] ?? 0
    if (pause > 0) await vi.advanceTimersByTimeAsync(pause)
  }
  await stream.goLive({ isRunning: false })
  if (isReplay) frame('out', { id: 1, result: {} })
  else await answer()
  stream.close()
  return seen
}

async function settled<T>(run: Promise<T>): Promise<T> {
  let isDone = false
  const done = run.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(50)
  }
  return done
}

function findings({ frames }: Seen) {
  const checker = new WireChecker()
  return frames.flatMap(frame => checker.check(frame)).concat(checker.end())
}

const pace = fc.record({
  pauses: fc.array(fc.constantFrom(0, 0, 10, 60, 300), { minLength: 1, maxLength: 7 }),
  sends: fc.array(fc.constantFrom(0, 0, 0, 20, 400), { minLength: 1, maxLength: 5 }),
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(Object.entries(clients))('a %s client', (_name, capabilities) => {
  it('ends with the same cards from a replay as from the live turns, however they were paced (B45)', async () => {
    await fc.assert(
      fc.asyncProperty(sessionEvents, pace, async (events, livePace) => {
        const live = await settled(play(events, capabilities, 'live', livePace))
        const replay = await settled(play(events, capabilities, 'replay', { pauses: [0], sends: [0] }))
        expect(foldUpdates(replay.updates, { user: false })).toEqual(foldUpdates(live.updates))
        expect(findings(live)).toEqual([])
        expect(findings(replay)).toEqual([])
        expectValidFrames(live.frames)
        expectValidFrames(replay.frames)
      }),
      { numRuns: 100 },
    )
  }, 60_000)
})
