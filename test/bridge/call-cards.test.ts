import { describe, expect, it } from 'vitest'
import type { ToolCallView } from '../../src/cards/index.js'
import type { SessionEvent } from '../../src/session/events.js'
import { DELTA, endOfCall, PLAIN, runCall, runSession, textsOf, ZED } from './run-session.js'

const bash: ToolCallView = { card: 'terminal', title: 'npm test', description: 'Run the tests', cwd: 'sub' }

describe('the tool_call of a card', () => {
  it('of a generic view has its kind, title, rawInput, content and locations', async () => {
    const [call] = await runCall({
      call: {
        card: 'generic',
        title: 'Read /w/a.ts',
        kind: 'read',
        rawInput: { limit: 3 },
        content: [{ type: 'text', text: 'soon' }],
        locations: [{ path: 'a.ts', line: 3 }, { path: '/w/a.ts' }, { path: '/etc/x' }],
      },
    })
    expect(call).toEqual({
      sessionUpdate: 'tool_call',
      toolCallId: 'c1',
      title: 'Read a.ts',
      kind: 'read',
      status: 'pending',
      name: 'one',
      rawInput: { limit: 3 },
      content: [{ type: 'content', content: { type: 'text', text: 'soon' } }],
      locations: [{ path: '/w/a.ts', line: 3 }, { path: '/etc/x' }],
      _meta: { tool_name: 'one' },
    })
  })

  it('of a diff view is an edit with absolute diffs, LF on both sides, and the diffs as locations (B40)', async () => {
    const [call] = await runCall({
      call: {
        card: 'diff',
        title: 'Edit sub/f.txt',
        diffs: [
          { path: 'sub/f.txt', oldText: 'a\r\n', newText: 'b\r\n' },
          { path: '/w/new', oldText: null, newText: '' },
          { path: '/w/same', oldText: 'x\r\n', newText: 'x\n' },
        ],
      },
    })
    expect(call).toMatchObject({
      kind: 'edit',
      title: 'Edit sub/f.txt',
      content: [
        { type: 'diff', path: '/w/sub/f.txt', oldText: 'a\n', newText: 'b\n' },
        { type: 'diff', path: '/w/new', oldText: null, newText: '' },
      ],
      locations: [{ path: '/w/sub/f.txt' }, { path: '/w/new' }, { path: '/w/same' }],
    })
    expect(call).not.toHaveProperty('rawInput')
  })

  it.each([ZED, DELTA])('of a terminal view is a terminal at a client that draws them', async client => {
    const [call, ...others] = await runCall({ call: bash }, client)
    expect(call).toEqual({
      sessionUpdate: 'tool_call',
      toolCallId: 'c1',
      title: 'npm test',
      kind: 'execute',
      status: 'pending',
      name: 'one',
      rawInput: { command: 'npm test', description: 'Run the tests', cwd: '/w/sub' },
      content: [
        { type: 'content', content: { type: 'text', text: 'Run the tests' } },
        { type: 'terminal', terminalId: 'c1' },
      ],
      _meta: { tool_name: 'one', terminal_info: { terminal_id: 'c1', cwd: '/w/sub' } },
    })
    expect(others.filter(update => update._meta && 'terminal_info' in update._meta)).toEqual([])
  })

  it('of a terminal view has the description alone at other clients, or no content', async () => {
    const [call] = await runCall({ call: bash })
    expect(textsOf(call)).toEqual(['Run the tests'])
    expect(call._meta).toEqual({ tool_name: 'one' })
    const [bare] = await runCall({ call: { card: 'terminal', title: 'ls' } })
    expect(bare).not.toHaveProperty('content')
    expect(bare.rawInput).toEqual({ command: 'ls' })
  })

  it('has the session’s cwd for a terminal that names none', async () => {
    const [call] = await runCall({ call: { card: 'terminal', title: 'ls' } }, ZED)
    expect(call._meta?.terminal_info).toEqual({ terminal_id: 'c1', cwd: '/w' })
  })

  it.each([
    ['no view', { name: 'one', arguments: { a: 1 }, rawInput: { a: 1 } }],
    ['a presenter that throws', { name: 'throws', arguments: '{"a":1}', rawInput: { a: 1 } }],
    ['a malformed view', { name: 'one', arguments: { call: { card: 'x' } }, rawInput: { call: { card: 'x' } } }],
    ['arguments that are no JSON', { name: 'one', arguments: '{', rawInput: '{' }],
    ['no arguments', { name: 'one', arguments: '', rawInput: {} }],
  ])('is the generic one with the arguments for %s, and the reason goes to the log', async (_case, given) => {
    const reports: string[] = []
    const [call] = await runSession(
      [{ type: 'tool/call', callId: 'c1', name: given.name, arguments: given.arguments, origin: 'model' }],
      PLAIN,
      'live',
      reports,
    )
    expect(call).toMatchObject({ title: given.name, kind: 'other', rawInput: given.rawInput })
    expect(JSON.stringify(call)).not.toContain('broken')
    expect(reports.length).toBe(_case.includes('presenter') || _case.includes('malformed') ? 1 : 0)
  })
})

describe('an early card', () => {
  const early: ToolCallView = { card: 'generic', title: 'Read', kind: 'read' }

  it('has no content, and is refined by updates once the arguments are whole', async () => {
    const diffs = [{ path: 'a', oldText: 'x', newText: 'y' }]
    const [first, second] = await runCall({
      early: { card: 'diff', title: 'Edit a', diffs },
      call: { card: 'diff', title: 'Edit a', diffs },
    })
    expect(first).toMatchObject({ sessionUpdate: 'tool_call', kind: 'edit', locations: [{ path: '/w/a' }] })
    expect(first).not.toHaveProperty('content')
    expect(second).toEqual({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c1',
      status: 'pending',
      content: [{ type: 'diff', path: '/w/a', oldText: 'x', newText: 'y' }],
    })
  })

  it('of what turns out to be a terminal gets its output as text, for a terminal can no longer be attached', async () => {
    const updates = await runCall({ early, call: bash, output: ['out\n'] }, ZED)
    expect(updates[1]).toMatchObject({ title: 'npm test', kind: 'execute' })
    expect(JSON.stringify(updates)).not.toContain('terminal_')
    expect(textsOf(await endOfCall({ early, call: bash, output: ['out\n'] }, ZED))).toEqual([
      'Run the tests',
      '```console\nout\n```',
    ])
  })

  it('that is no card yet sends nothing; a call dropped before that leaves nothing behind', async () => {
    const start: SessionEvent = { type: 'tool/start', callId: 'c1', name: 'one', arguments: {} }
    const result: SessionEvent = { type: 'tool/result', callId: 'c1', content: [], isError: true }
    expect(await runSession([start, result])).toEqual([])
  })

  it('whose call was dropped is closed by the result', async () => {
    const updates = await runSession([
      { type: 'tool/start', callId: 'c1', name: 'one', arguments: { early: { ...early } as never } },
      { type: 'tool/result', callId: 'c1', content: [{ type: 'text', text: 'stopped' }], isError: true },
    ])
    expect(updates.map(update => 'status' in update && update.status)).toEqual(['pending', 'failed'])
  })
})

describe('a call without a result', () => {
  it('is shown as interrupted and keeps its content (B46)', async () => {
    const diff: ToolCallView = { card: 'diff', title: 'Edit a', diffs: [{ path: 'a', oldText: 'x', newText: 'y' }] }
    const end = await endOfCall({ call: diff, ends: false })
    expect(end.status).toBe('failed')
    expect(textsOf(end)).toEqual(['<diff>', '[interrupted]'])
  })

  it('is skipped with a report if only its result is there (B46)', async () => {
    const reports: string[] = []
    const result: SessionEvent = { type: 'tool/result', callId: 'lost', content: [], isError: false }
    expect(await runSession([result], PLAIN, 'replay', reports)).toEqual([])
    expect(reports).toEqual(['lost: tool/result for a call that is not open'])
  })

  it('ends as interrupted when the next turn starts', async () => {
    const updates = await runSession([
      { type: 'tool/call', callId: 'c1', name: 'one', arguments: {}, origin: 'model' },
      { type: 'turn/start', turnId: 't2' },
      { type: 'assistant/message', messageId: 'm', text: 'hi' },
    ])
    expect(updates.map(update => update.sessionUpdate)).toEqual([
      'tool_call',
      'tool_call_update',
      'agent_message_chunk',
    ])
  })
})

describe('directories', () => {
  it('are those in force when the call came (B40)', async () => {
    const read = { call: { card: 'generic', title: 'Read a', locations: [{ path: 'a' }] } } as never
    const call = (callId: string) =>
      ({ type: 'tool/call', callId, name: 'one', arguments: read, origin: 'model' }) as const
    const updates = await runSession([
      call('c1'),
      { type: 'session/config', cwd: '/v', roots: ['/v'] },
      call('c2'),
      { type: 'tool/result', callId: 'c1', content: [], isError: false },
    ])
    expect(updates.filter(update => update.sessionUpdate === 'tool_call').map(update => update.locations)).toEqual([
      [{ path: '/w/a' }],
      [{ path: '/v/a' }],
    ])
  })
})
