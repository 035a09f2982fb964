import { describe, expect, it } from 'vitest'
import type { FileChange, JsonValue } from '../../src/cards/index.js'
import {
  type CallUpdate,
  callEvents,
  DELTA,
  endOfCall,
  type OneCall,
  PLAIN,
  runCall,
  runSession,
  textsOf,
  ZED,
} from './run-session.js'

const modified: FileChange = {
  type: 'modified',
  path: '/w/src/a.ts',
  hunks: [
    { path: '/w/src/a.ts', oldText: 'a\n', newText: 'b\n', line: 4 },
    { path: '/w/src/a.ts', oldText: 'c\n', newText: 'd\n', line: 40 },
  ],
}
const created: FileChange = {
  type: 'created',
  path: '/w/b.txt',
  hunks: [{ path: '/w/b.txt', oldText: null, newText: 'new\n', line: 1 }],
}
const deleted: FileChange = {
  type: 'deleted',
  path: '/w/c.txt',
  hunks: [{ path: '/w/c.txt', oldText: 'bye\n', newText: '', line: 1 }],
}
const binary: FileChange = { type: 'modified', path: '/w/d.png', hunks: [], reason: 'Binary content is not shown.' }

function metaOf(fileChanges: FileChange[], more: object = {}): JsonValue {
  return JSON.parse(JSON.stringify({ fileChanges, ...more })) as JsonValue
}

function terminal(fileChanges: FileChange[], more: Partial<OneCall> = {}): OneCall {
  return {
    call: { card: 'terminal', title: 'make', description: 'Build it' },
    result: { card: 'terminal', exitCode: 0 },
    output: ['built\n'],
    meta: metaOf(fileChanges),
    ...more,
  }
}

const diffsOf = (update: CallUpdate) =>
  (update.content ?? []).flatMap(item => (item.type === 'diff' ? [[item.oldText, item.newText]] : []))

describe('files changed by a command, at a client without terminals', () => {
  it('stand below the output on the same card (B20)', async () => {
    const end = await endOfCall(terminal([modified, created, deleted, binary]), PLAIN)
    expect(textsOf(end)).toEqual([
      'Build it',
      '```console\nbuilt\n```',
      '<diff>',
      '<diff>',
      '<diff>',
      'Deleted c.txt.',
      '<diff>',
      'Changed d.png. Binary content is not shown.',
    ])
    expect(end.locations).toEqual([
      { path: '/w/src/a.ts', line: 4 },
      { path: '/w/b.txt', line: 1 },
      { path: '/w/d.png' },
    ])
    expect(end._meta).toEqual({ deckhand: { hunks: [4, 40, 1, 1] } })
    expect(end.status).toBe('completed')
  })

  it('stand below what any other card shows, and files that the card shows itself are not repeated', async () => {
    const generic = await endOfCall({ call: { card: 'generic', title: 'x' }, meta: metaOf([created]) })
    expect(textsOf(generic)).toEqual(['done', '<diff>'])
    const own = { path: '/w/b.txt', oldText: null, newText: 'own\n' }
    const diff = await endOfCall({
      call: { card: 'diff', title: 'x', diffs: [own] },
      result: { card: 'diff', diffs: [own] },
      meta: metaOf([created, deleted]),
    })
    expect(diffsOf(diff)).toEqual([
      [null, 'own\n'],
      ['bye\n', ''],
    ])
  })

  it('keep a card that its result left as it was', async () => {
    const content = [{ type: 'text' as const, text: 'kept' }]
    const end = await endOfCall({
      call: { card: 'generic', title: 'x', content },
      content: [],
      meta: metaOf([created]),
    })
    expect(textsOf(end)).toEqual(['kept', '<diff>'])
  })
})

describe.each([
  ['Zed-like', ZED],
  ['delta', DELTA],
])('files changed by a command, at a %s client', (_name, capabilities) => {
  it('have a card of their own after the terminal, which draws nothing beside it', async () => {
    const updates = await runCall(terminal([modified]), capabilities)
    const [end, card, done] = updates.slice(-3) as [CallUpdate, CallUpdate, CallUpdate]
    expect(end).toMatchObject({ toolCallId: 'c1', status: 'completed' })
    expect(end).not.toHaveProperty('content')
    expect(card).toMatchObject({
      sessionUpdate: 'tool_call',
      toolCallId: 'c1-files',
      title: 'Changed src/a.ts',
      kind: 'edit',
      status: 'pending',
      locations: [{ path: '/w/src/a.ts', line: 4 }],
    })
    expect(diffsOf(card)).toEqual([
      ['a\n', 'b\n'],
      ['c\n', 'd\n'],
    ])
    expect(done).toEqual({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c1-files',
      status: 'completed',
      _meta: { deckhand: { hunks: [4, 40] } },
    })
  })

  it.each([
    ['Created b.txt', [created], {}],
    ['Deleted c.txt', [deleted], {}],
    ['Moved c.txt to b.txt', [{ ...created, type: 'moved' as const, movedFrom: '/w/c.txt', hunks: [] }], {}],
    ['Changed 2 files', [created, deleted], {}],
    ['Changed 8 files', [created], { fileChangesLeftOut: 7 }],
  ])('are named by the title %s', async (title, changes, more) => {
    const updates = await runCall(terminal([], { meta: metaOf(changes, more) }), capabilities)
    expect(updates.at(-2)).toMatchObject({ toolCallId: 'c1-files', title })
  })

  it('are shown of a failed command too, and the same on replay (B45)', async () => {
    const script = terminal([created], { code: 'COMMAND_FAILED', result: { card: 'terminal', exitCode: 2 } })
    const live = await runSession(callEvents(script), capabilities)
    expect(live.at(-3)).toMatchObject({ toolCallId: 'c1', status: 'failed' })
    expect((await runSession(callEvents(script), capabilities, 'replay')).slice(-3)).toEqual(live.slice(-3))
  })
})

describe('fileChanges of a result', () => {
  it('give nothing if they are empty or malformed', async () => {
    for (const fileChanges of [[], 'x', [{ type: 'modified' }], [{ ...modified, type: 'unchanged' }]]) {
      const updates = await runCall(terminal([], { meta: { fileChanges } as JsonValue }), ZED)
      expect(updates.at(-1)).toMatchObject({ toolCallId: 'c1', status: 'completed' })
    }
  })

  it('that no message can hold become texts with path and sizes', async () => {
    const huge: FileChange = {
      ...modified,
      hunks: [{ path: '/w/src/a.ts', oldText: 'a', newText: '\u001b'.repeat(400_000), line: 1 }],
    }
    const updates = await runCall(terminal([huge]), ZED)
    expect(textsOf(updates.at(-2) as CallUpdate)).toEqual([
      '/w/src/a.ts: the diff is too large to show (old 1 byte, new 390.6 KiB).',
    ])
  })
})
