import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toClientProfile } from '../../src/bridge/render/profile.js'
import { SessionStream } from '../../src/bridge/sessions/session-stream.js'
import type { ToolCallView } from '../../src/cards/index.js'
import type { SessionEvent } from '../../src/session/events.js'
import { type CallUpdate, callEvents, PLAIN, runSession, textsOf, ZED } from './run-session.js'
import { scriptedPresenter } from './scripted-session.js'

const bash: ToolCallView = { card: 'terminal', title: 'npm test', description: 'Tests' }

function openStream(capabilities: object, mode: 'live' | 'replay' = 'live') {
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
  })
  return { stream, updates, push: (events: SessionEvent[]) => Promise.all(events.map(event => stream.push(event))) }
}

describe('messages', () => {
  const events: SessionEvent[] = [
    {
      type: 'user/message',
      messageId: 'u1',
      content: [
        { type: 'text', text: 'é'.repeat(40_000) },
        { type: 'resource_link', uri: 'file:///w/a', name: 'a' },
      ],
    },
    { type: 'assistant/thought', messageId: 't1', text: 'hm' },
    { type: 'assistant/message', messageId: 'm1', text: 'hello' },
    { type: 'assistant/message', messageId: 'm1', text: '' },
    { type: 'plan', entries: [{ content: 'a', status: 'pending', priority: 'low' }] },
    { type: 'session/config', title: 'A\ntitle' },
    { type: 'session/config', mode: 'plan' },
    { type: 'compaction', summary: 'short' },
  ]
  const answer = [
    { sessionUpdate: 'agent_thought_chunk', messageId: 't1', content: { type: 'text', text: 'hm' } },
    { sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: { type: 'text', text: 'hello' } },
    { sessionUpdate: 'plan', entries: [{ content: 'a', status: 'pending', priority: 'low' }] },
    { sessionUpdate: 'session_info_update', title: 'A⏎title' },
  ]

  it('of the user are sent on replay only, in chunks of one messageId', async () => {
    expect(await runSession(events, PLAIN, 'live')).toEqual(answer)
    const replay = await runSession(events, PLAIN, 'replay')
    const user = replay.filter(update => update.sessionUpdate === 'user_message_chunk')
    expect(replay.slice(user.length)).toEqual(answer)
    expect(user.map(update => update.messageId)).toEqual(['u1', 'u1', 'u1', 'u1'])
    const texts = user.map(update => (update.content.type === 'text' ? update.content.text : ''))
    expect(texts.join('')).toBe('é'.repeat(40_000))
    expect(user.at(-1)?.content).toEqual({ type: 'resource_link', uri: 'file:///w/a', name: 'a' })
  })
})

describe('progress', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const output = (data: string): SessionEvent => ({ type: 'tool/progress', callId: 'c1', output: data })

  it('of a terminal goes out at most every 50 ms, joined', async () => {
    const { stream, updates, push } = openStream(ZED)
    await push(callEvents({ call: bash, ends: false }))
    for (let index = 0; index < 100; index++) {
      await stream.push(output('x'))
      await vi.advanceTimersByTimeAsync(10)
    }
    await stream.flush()
    const data = updates.flatMap(update => (update._meta?.terminal_output as { data: string } | undefined)?.data ?? [])
    expect(data.join('')).toBe('x'.repeat(100))
    expect(data.length).toBeLessThanOrEqual(22)
    expect(data.length).toBeGreaterThan(10)
    stream.close()
  })

  it('that replaces content goes out at most every 250 ms, and holds all of it', async () => {
    const { stream, updates, push } = openStream(PLAIN)
    await push(callEvents({ call: bash, ends: false }))
    for (let index = 0; index < 100; index++) {
      await stream.push(output('x'))
      await vi.advanceTimersByTimeAsync(10)
    }
    await stream.flush()
    const shown = updates.filter(update => update.sessionUpdate === 'tool_call_update' && update.content)
    expect(shown.length).toBeLessThanOrEqual(6)
    expect(shown.length).toBeGreaterThan(3)
    expect(textsOf(shown.at(-1) as CallUpdate)).toEqual(['Tests', `\`\`\`console\n${'x'.repeat(100)}\n\`\`\``])
    stream.close()
  })

  it('of a replay is only what the end of the call needs', async () => {
    const plain = openStream(PLAIN, 'replay')
    await plain.push(callEvents({ call: bash, output: ['a', 'b', 'c'] }))
    await plain.stream.flush()
    expect(plain.updates).toHaveLength(2)
    const zed = openStream(ZED, 'replay')
    await zed.push(callEvents({ call: bash, output: ['a', 'b', 'c'] }))
    await zed.stream.flush()
    expect(zed.updates).toHaveLength(3)
  })

  it('of a call that goes on when a replay ends is shown as it stands, and then live', async () => {
    const { stream, updates, push } = openStream(PLAIN, 'replay')
    await push(callEvents({ call: bash, output: ['a', 'b'], ends: false }))
    await stream.goLive({ isRunning: true })
    expect(textsOf(updates.at(-1) as CallUpdate)).toEqual(['Tests', '```console\nab\n```'])
    await vi.advanceTimersByTimeAsync(300)
    await stream.push(output('c'))
    await stream.flush()
    expect(textsOf(updates.at(-1) as CallUpdate)).toEqual(['Tests', '```console\nabc\n```'])
    stream.close()
  })

  it('leaves no timer behind when the stream is closed', async () => {
    const { stream, push } = openStream(ZED)
    await push(callEvents({ call: bash, output: ['a', 'b', 'c'], ends: false }))
    stream.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the call of a permission request', () => {
  const asked: SessionEvent = { type: 'permission/asked', callId: 'c1', question: '?' }

  it('is the whole card, from the same source (B56)', async () => {
    const { stream, updates, push } = openStream(PLAIN)
    const call: ToolCallView = { card: 'diff', title: 'Edit /w/a', diffs: [{ path: 'a', oldText: 'x', newText: 'y' }] }
    await push([...callEvents({ call, runs: false, ends: false }), asked])
    await stream.flush()
    const { sessionUpdate: _kind, ...card } = updates[0]!
    expect(stream.permissionCall('c1')).toEqual(card)
    expect(stream.permissionCall('other')).toBeUndefined()
  })

  it('shows a command that its title does not show exactly, and the card comes back when it runs', async () => {
    const { stream, updates, push } = openStream(ZED)
    const command = `echo\t${'x'.repeat(300)}\n\`\`\``
    const call: ToolCallView = { card: 'terminal', title: command, description: 'Say x' }
    await push([...callEvents({ call, runs: false, ends: false }), asked])
    const request = stream.permissionCall('c1')
    expect(textsOf(request as CallUpdate)).toEqual([`\`\`\`\`\n${command}\n\`\`\`\``])
    expect(request?.rawInput).toMatchObject({ command })
    await stream.push({ type: 'tool/running', callId: 'c1' })
    await stream.flush()
    expect(updates.at(-1)).toMatchObject({
      status: 'in_progress',
      content: [{ type: 'content' }, { type: 'terminal', terminalId: 'c1' }],
    })
    stream.close()
  })

  it('leaves the content of other cards unsaid when they run (B20)', async () => {
    const { stream, updates, push } = openStream(ZED)
    await push([...callEvents({ call: bash, runs: false, ends: false }), asked])
    stream.permissionCall('c1')
    await stream.push({ type: 'tool/running', callId: 'c1' })
    await stream.flush()
    expect(updates.at(-1)).toEqual({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'in_progress' })
    stream.close()
  })
})
