import { describe, expect, it } from 'vitest'
import { isToolResultView, type JsonValue } from '../../../src/cards/index.js'
import { MCP_FAMILY, presentMcp } from '../../../src/mcp/cards/index.js'
import { toToolOutput } from '../../../src/mcp/cards/to-tool-output.js'

const presenters = presentMcp({ server: 'lint', title: 'Fix all' })

/** The card of a result, as it is from the log. */
function cardOf(card: unknown, more: object = {}, windows = false) {
  const output = toToolOutput(
    { content: [{ type: 'text', text: 'done' }], _meta: { 'deckhand/card': card }, ...more },
    { windows },
  )
  const logged = JSON.parse(JSON.stringify(output))
  return { view: presenters?.presentResult?.({}, logged), meta: logged.meta }
}

describe('a card that a server asks for', () => {
  it('is a diff, with LF and the paths of this machine', () => {
    const diffs = [
      { path: 'src/a.ts', oldText: 'a\r\n', newText: 'b\r\n', line: 3 },
      { path: 'file:///w/b%20c.ts', oldText: null, newText: 'new\n' },
      { path: 'same.ts', oldText: 'x', newText: 'x' },
    ]
    expect(cardOf({ type: 'diff', title: 'Fixed\n2 files', diffs }).view).toEqual({
      card: 'diff',
      title: 'lint: Fixed⏎2 files',
      diffs: [
        { path: 'src/a.ts', oldText: 'a\n', newText: 'b\n', line: 3 },
        { path: '/w/b c.ts', oldText: null, newText: 'new\n' },
      ],
    })
  })

  it('is a terminal, or locations', () => {
    expect(cardOf({ type: 'terminal', output: 'ok\n', exitCode: 1, signal: 'SIGTERM' }).view).toEqual({
      card: 'terminal',
      output: 'ok\n',
      exitCode: 1,
      signal: 'SIGTERM',
    })
    const locations = [{ path: 'a.ts', line: 2 }, { path: 'https://x/y' }, { path: 'b.ts', line: 0 }, 7]
    expect(cardOf({ type: 'generic', locations }).view).toEqual({
      card: 'generic',
      locations: [{ path: 'a.ts', line: 2 }, { path: 'b.ts' }],
    })
  })

  it('is no diff if a file of it lies outside the session: the content names that file', () => {
    const diff = (path: string) => ({ path, oldText: 'a', newText: 'b' })
    const card = {
      type: 'diff',
      title: 'Fixed',
      diffs: [diff('a.ts'), diff('/etc/hosts'), diff('/etc/hosts'), diff('../b')],
    }
    const isInside = (path: string) => !/^(?:\/etc|\.\.)/.test(path)
    const output = toToolOutput({ content: [], _meta: { 'deckhand/card': card } }, { windows: false, isInside })
    expect(output).toEqual({
      content: [
        {
          type: 'text',
          text: "[No diff is shown: the server says that it changed files outside the session's folders: /etc/hosts, ../b]",
        },
      ],
      isError: false,
      meta: { mcp: { card: { card: 'generic', title: 'Fixed', locations: [{ path: 'a.ts' }] } } },
    })
  })

  it('may stand in structured content, which the model does not get it from', () => {
    const structuredContent = { fixed: 1, _meta: { 'deckhand/card': { type: 'terminal', output: 'x' } } }
    const output = toToolOutput({ content: [{ type: 'text', text: '{"fixed":1}' }], structuredContent })
    expect(output).toMatchObject({ meta: { mcp: { card: { card: 'terminal', output: 'x' } } } })
    expect(output.content).toHaveLength(1)
  })

  it.each<[string, unknown, RegExp]>([
    ['no object', 'diff', /is no object/],
    ['of an unknown type', { type: 'video' }, /none of diff, terminal and generic/],
    ['a diff without diffs', { type: 'diff', diffs: [] }, /no diffs/],
    [
      'a diff that changes nothing',
      { type: 'diff', diffs: [{ path: 'a', oldText: 'x\r\n', newText: 'x\n' }] },
      /change nothing/,
    ],
    [
      'a diff of a web page',
      { type: 'diff', diffs: [{ path: 'https://x/y', oldText: '', newText: 'x' }] },
      /none of this machine/,
    ],
    [
      'a diff of another system',
      { type: 'diff', diffs: [{ path: 'C:\\a', oldText: '', newText: 'x' }] },
      /none of this machine/,
    ],
    ['a diff without text', { type: 'diff', diffs: [{ path: 'a', oldText: '' }] }, /newText/],
    [
      'a diff of 2 MB',
      { type: 'diff', diffs: [{ path: 'a', oldText: '', newText: 'x'.repeat(2_000_000) }] },
      /too large/,
    ],
    ['a terminal of numbers', { type: 'terminal', output: 7 }, /output is no text/],
  ])('that is %s is not drawn; the content is, and the log says why', (_what, card, problem) => {
    const { view, meta } = cardOf(card)
    expect(view).toBeUndefined()
    expect(meta.mcp.problem).toMatch(problem)
  })

  it('takes the paths of Windows there', () => {
    const diffs = [
      { path: 'C:\\w\\a.ts', oldText: '', newText: 'x' },
      { path: 'file:///C:/w/b.ts', oldText: '', newText: 'x' },
    ]
    expect(cardOf({ type: 'diff', diffs }, {}, true).view).toMatchObject({
      diffs: [{ path: 'C:\\w\\a.ts' }, { path: 'C:\\w\\b.ts' }],
    })
  })

  it('cannot set what only the program itself may say of a call', () => {
    const _meta = {
      plan: [{ content: 'x', status: 'pending', priority: 'low' }],
      fileChanges: [],
      seen: [],
      'deckhand/card': { type: 'generic' },
    }
    expect(toToolOutput({ content: [], _meta })).toEqual({
      content: [],
      isError: false,
      meta: { mcp: { card: { card: 'generic' } } },
    })
  })

  it('tells the model what it shows if there is nothing else', () => {
    const only = (card: object) => toToolOutput({ content: [], _meta: { 'deckhand/card': card } }).content
    expect(only({ type: 'terminal', output: 'a\n', exitCode: 2 })).toEqual([
      { type: 'text', text: 'a\n\n[exit code 2]' },
    ])
    expect(only({ type: 'diff', diffs: [{ path: 'a', oldText: '', newText: 'x' }] })).toEqual([
      { type: 'text', text: 'Changed: a' },
    ])
  })
})

describe('presenters from the log', () => {
  it.each([[null], ['x'], [[]], [{}], [{ server: 1, title: 'x' }], [{ server: 'x' }]])(
    'of facts that are none, %j, are none',
    facts => {
      expect(presentMcp(facts)).toBeUndefined()
    },
  )

  it('take nothing from a result that is not theirs', () => {
    expect(MCP_FAMILY).toBe('mcp')
    const metas: JsonValue[] = [null, 7, { mcp: 7 }, { mcp: { card: { card: 'diff', diffs: 'x' } } }, { plan: [] }]
    for (const meta of metas) {
      const view = presenters?.presentResult?.({}, { content: [], isError: false, meta })
      expect(view === undefined || isToolResultView(view)).toBe(true)
      expect(view).toBeUndefined()
    }
  })
})
