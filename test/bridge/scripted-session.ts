import fc from 'fast-check'
import type { Presenter } from '../../src/bridge/calls/call-state.js'
import type { ContentBlock, FileDiff, JsonValue, ToolCallView, ToolResultView } from '../../src/cards/index.js'
import type { SessionEvent } from '../../src/session/events.js'

/** Arguments of a scripted call: the views its tool would give. */
interface Script {
  early?: ToolCallView
  call?: ToolCallView
  result?: ToolResultView
}

/** Tools that show what their arguments tell them to; `throws` stands for a broken presenter. */
export const scriptedPresenter: Presenter = {
  presentCall: (name, args) => {
    if (name === 'throws') throw new Error('broken')
    return (args as Script).call
  },
  presentPartial: (_name, partial) => (partial as Script).early,
  presentResult: (name, args) => {
    if (name === 'throws') throw new Error('broken')
    return (args as Script).result
  },
}

const path = fc.constantFrom('/w/a.ts', 'b/c.ts', '/x/lib/d.ts', '/etc/hosts', '/w/__tests__/e f.ts', '/w')
const words = fc.oneof(
  fc.string({ maxLength: 20, unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    'Read /w/a.ts',
    'a\nb',
    '`` ` ```',
    '\u001b[31mred\u001b[0m\r\n',
    '10%\r20%\r',
    '*x* _y_',
    '你好 👋',
    'x'.repeat(300),
    'tab\there',
  ),
)
/** The title of the second is not the command, since the tab is made visible. */
const command = fc.oneof(words, fc.constant('tab\there'))
const line = fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined })
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  words.map(text => ({ type: 'text' as const, text })),
  fc.record({ type: fc.constant('image' as const), data: fc.constant('aGk='), mimeType: fc.constant('image/png') }),
)
const blocks = fc.array(block, { maxLength: 3 })
const locations = fc.array(fc.record({ path, line }, { requiredKeys: ['path'] }).map(dropUndefined), { maxLength: 3 })
const diffs: fc.Arbitrary<FileDiff[]> = fc.array(
  fc.record({ path, oldText: fc.option(words), newText: words, line }).map(dropUndefined),
  { maxLength: 3 },
)
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const generic = fc
  .record({
    card: fc.constant('generic' as const),
    title: words,
    kind: optional(fc.constantFrom('read' as const, 'edit' as const, 'think' as const)),
    rawInput: optional(fc.record({ q: words })),
    content: optional(blocks),
    locations: optional(locations),
  })
  .map(dropUndefined)
const terminal = fc
  .record({ card: fc.constant('terminal' as const), title: command, description: optional(words), cwd: optional(path) })
  .map(dropUndefined)
const diff = fc.record({ card: fc.constant('diff' as const), title: words, diffs })
const callView = fc.oneof(generic, terminal, terminal, diff) as fc.Arbitrary<ToolCallView>
const resultView = fc.oneof(
  fc
    .record({
      card: fc.constant('generic' as const),
      title: optional(words),
      content: optional(blocks),
      locations: optional(locations),
    })
    .map(dropUndefined),
  fc
    .record({
      card: fc.constant('terminal' as const),
      title: optional(words),
      output: optional(words),
      exitCode: optional(fc.integer({ min: -2, max: 300 })),
      signal: optional(fc.constant('SIGKILL')),
    })
    .map(dropUndefined),
  fc.record({ card: fc.constant('diff' as const), title: optional(words), diffs }).map(dropUndefined),
) as fc.Arbitrary<ToolResultView>

type Progress = { output?: string; content?: ContentBlock[] }
const progress: fc.Arbitrary<Progress> = fc.oneof(
  words.map(output => ({ output })),
  fc.integer({ min: 1, max: 8_000 }).map(length => ({ output: 'é\u001b'.repeat(length) })),
  blocks.map(content => ({ content })),
)

const fileChanges = fc.record({
  fileChanges: fc.array(
    fc.record({
      type: fc.constantFrom('created', 'modified', 'deleted', 'moved', 'unchanged', 'odd'),
      path,
      movedFrom: optional(path),
      hunks: diffs,
      reason: optional(words),
    }),
    { maxLength: 3 },
  ),
  fileChangesLeftOut: optional(fc.integer({ min: -1, max: 3 })),
})

const call = fc.record({
  name: fc.constantFrom('one', 'two', 'throws'),
  early: optional(
    fc.oneof(
      generic.map(({ card, title }) => ({ card, title })),
      diff,
    ),
  ),
  view: optional(callView),
  result: optional(resultView),
  asked: fc.boolean(),
  runs: fc.boolean(),
  progress: fc.array(progress, { maxLength: 5 }),
  end: fc.constantFrom('success', 'failure', 'none', 'dropped'),
  content: blocks,
  meta: fc.option(fc.oneof(fc.constant({}), fileChanges), { freq: 2, nil: undefined }),
})

let callCount = 0

const callEvents = call.map((script): SessionEvent[] => {
  const callId = `call-${callCount++}`
  const { early, view, result, name } = script
  const args = JSON.parse(JSON.stringify({ early, call: view, result })) as { [key: string]: JsonValue }
  const start: SessionEvent[] = early ? [{ type: 'tool/start', callId, name, arguments: args }] : []
  const ended: SessionEvent = {
    type: 'tool/result',
    callId,
    content: script.content,
    isError: script.end !== 'success',
    ...(script.end === 'failure' ? { error: { name: 'HarnessError', code: 'TOOL_FAILED' } } : {}),
    ...(script.meta ? { meta: JSON.parse(JSON.stringify(script.meta)) as JsonValue } : {}),
  }
  if (script.end === 'dropped') return [...start, ended]
  return [
    ...start,
    { type: 'tool/call', callId, name, arguments: args, origin: 'model' },
    ...(script.asked ? [{ type: 'permission/asked', callId, question: '?' } as const] : []),
    ...(script.runs
      ? [
          { type: 'tool/running', callId } as const,
          ...script.progress.map(one => ({ type: 'tool/progress', callId, ...one }) as const),
        ]
      : []),
    ...(script.end === 'none' ? [] : [ended]),
  ]
})

const step = fc.oneof<fc.Arbitrary<SessionEvent[]>[]>(
  fc
    .tuple(fc.constantFrom('m1', 'm2'), words)
    .map(([messageId, text]) => [{ type: 'assistant/message', messageId, text }]),
  words.map(text => [{ type: 'assistant/thought', messageId: 't1', text }]),
  fc.constant([{ type: 'plan', entries: [{ content: 'a', status: 'pending', priority: 'low' }] }] as SessionEvent[]),
  fc
    .constantFrom('/w', '/w/b')
    .map(cwd => [{ type: 'session/config', cwd, roots: [cwd, '/x/lib'], title: `in ${cwd}` }]),
  fc.tuple(callEvents, callEvents, fc.infiniteStream(fc.boolean())).map(([a, b, turns]) => interleave(a, b, turns)),
  callEvents,
)

const turn = fc
  .record({ text: words, steps: fc.array(step, { maxLength: 4 }), cut: fc.option(fc.nat(12), { freq: 3 }) })
  .map(({ text, steps, cut }): SessionEvent[] => {
    const events: SessionEvent[] = [
      { type: 'turn/start', turnId: 't' },
      { type: 'user/message', messageId: 'u', content: [{ type: 'text', text }] },
      ...steps.flat(),
      { type: 'turn/end', turnId: 't', stopReason: 'end_turn' },
    ]
    // A crash: the log ends here, and perhaps a later turn follows.
    return cut === null ? events : events.slice(0, cut)
  })

/** The events of a session: turns with calls of all cards, progress, failures, and ends without a result. */
export const sessionEvents: fc.Arbitrary<SessionEvent[]> = fc
  .array(turn, { minLength: 1, maxLength: 3 })
  .map(turns => turns.flat())

function interleave<T>(left: T[], right: T[], turns: Iterable<boolean>): T[] {
  const merged: T[] = []
  const [a, b] = [[...left], [...right]]
  for (const fromLeft of turns) {
    const next = (fromLeft && a.length > 0) || b.length === 0 ? a.shift() : b.shift()
    if (next === undefined) return merged
    merged.push(next)
  }
  return merged
}

function dropUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as never
}
