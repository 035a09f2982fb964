import { describe, expect, it } from 'vitest'
import type { ToolCallView } from '../../src/cards/index.js'
import { endOfCall, runCall, textsOf } from './run-session.js'

const read: ToolCallView = {
  card: 'generic',
  title: 'Read /w/a_b.ts',
  kind: 'read',
  locations: [{ path: '/w/a_b.ts' }],
}
const edit: ToolCallView = { card: 'diff', title: 'Edit a', diffs: [{ path: 'a', oldText: 'x\n', newText: 'y\n' }] }

describe('a generic result', () => {
  it('has the view’s content, title and locations', async () => {
    const result = {
      card: 'generic',
      title: 'Found /w/x.ts',
      content: [{ type: 'text', text: 'nice' }],
      locations: [{ path: 'x.ts', line: 2 }],
    } as const
    const end = await endOfCall({
      call: read,
      result: { ...result, content: [...result.content], locations: [...result.locations] },
    })
    expect(end).toMatchObject({ status: 'completed', title: 'Found x.ts', locations: [{ path: '/w/x.ts', line: 2 }] })
    expect(textsOf(end)).toEqual(['nice'])
    expect(end).not.toHaveProperty('rawOutput')
  })

  it('has the raw result’s content otherwise, whatever its blocks are', async () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///w/a', text: 'b' } },
      { type: 'resource_link', uri: 'file:///w/a', name: 'a' },
    ] as const
    const end = await endOfCall({ call: read, content: [...content] })
    expect(end.content).toEqual(content.map(block => ({ type: 'content', content: block })))
    expect(end).not.toHaveProperty('title')
    expect(end).not.toHaveProperty('locations')
  })

  it('that says nothing leaves the card as it is (B20)', async () => {
    const end = await endOfCall({ call: edit, content: [] })
    expect(end).toEqual({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' })
  })

  it('of a failure without words names the code', async () => {
    expect(textsOf(await endOfCall({ call: read, content: [], code: 'TOOL_FAILED' }))).toEqual([
      'Failed (TOOL_FAILED).',
    ])
  })
})

describe('a diff result', () => {
  const hunks = [
    { path: 'b', oldText: 'x\n', newText: 'y\n', line: 30 },
    { path: 'a', oldText: 'x\n', newText: 'y\n', line: 9 },
    { path: 'b', oldText: 'q\n', newText: 'r\n', line: 4 },
  ]

  it('replaces the snippet by the hunks, with one location per file at its first changed line', async () => {
    const end = await endOfCall({ call: edit, result: { card: 'diff', title: 'Edited /w/a', diffs: hunks } })
    expect(end).toMatchObject({
      status: 'completed',
      title: 'Edited a',
      locations: [
        { path: '/w/b', line: 4 },
        { path: '/w/a', line: 9 },
      ],
      _meta: { deckhand: { hunks: [30, 9, 4] } },
    })
    expect(end.content).toHaveLength(3)
    expect(end).not.toHaveProperty('kind')
  })

  it('leaves the lines of the hunks out if one of them is not known', async () => {
    const end = await endOfCall({
      call: edit,
      result: { card: 'diff', diffs: [{ path: 'a', oldText: 'x', newText: 'z' }] },
    })
    expect(end).not.toHaveProperty('_meta')
  })

  it('makes another card an edit, whose title is drawn as text', async () => {
    const [call, ...others] = await runCall({ call: read, result: { card: 'diff', diffs: hunks } })
    expect(call.title).toBe('Read `a_b.ts`')
    expect(others.at(-1)).toMatchObject({ kind: 'edit', title: 'Read a_b.ts' })
  })

  it('that changed nothing says so', async () => {
    expect(textsOf(await endOfCall({ call: edit, result: { card: 'diff', diffs: [] } }))).toEqual(['Nothing changed.'])
    const endings = [{ path: 'a', oldText: 'x\r\n', newText: 'x\n' }]
    const end = await endOfCall({ call: edit, result: { card: 'diff', diffs: endings } })
    expect(textsOf(end)).toEqual(['Only line endings changed.'])
  })

  it('gives way to the error of a call that failed: the optimistic diff must go', async () => {
    const failed = { call: edit, code: 'NO_MATCH', content: [{ type: 'text' as const, text: 'not found' }] }
    const end = await endOfCall(failed)
    expect(end.status).toBe('failed')
    expect(textsOf(end)).toEqual(['not found'])
    expect(textsOf(await endOfCall({ ...failed, result: { card: 'diff', diffs: hunks } }))).toEqual(['not found'])
  })

  it('stays beside the error if the tool had run: a written file is never shown as not written', async () => {
    const end = await endOfCall({
      call: edit,
      code: 'LISTENER_FAILED',
      meta: {},
      result: { card: 'diff', diffs: hunks },
    })
    expect(textsOf(end)).toEqual(['done', '<diff>', '<diff>', '<diff>'])
    expect(end._meta).toEqual({ deckhand: { hunks: [30, 9, 4] } })
  })
})

describe('sizes', () => {
  const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

  it('turn a diff that no message can hold into a text with path and sizes; the others stay', async () => {
    const diffs = [
      { path: 'big', oldText: '\u001b'.repeat(200_000), newText: 'y', line: 1 },
      { path: 'a', oldText: 'x', newText: 'y', line: 5 },
    ]
    const end = await endOfCall({ call: edit, result: { card: 'diff', diffs } })
    expect(textsOf(end)).toEqual([
      expect.stringMatching(/^\/w\/big: the diff is too large.*195\.3 KiB.*1 byte/),
      '<diff>',
    ])
    expect(end._meta).toEqual({ deckhand: { hunks: [5] } })
  })

  it('cut a huge text in its middle, with the count of what is left out', async () => {
    const end = await endOfCall({
      call: read,
      content: [{ type: 'text', text: `head${'\u001b'.repeat(1_000_000)}tail` }],
    })
    expect(size(end)).toBeLessThan(1024 * 1024)
    expect(textsOf(end)[0]).toMatch(/^head.*\n\[\d+ bytes left out\]\n.*tail$/s)
  })

  it('turn an image over 700 KB into a text with name, type and size', async () => {
    const data = 'A'.repeat(1_000_000)
    const image = { type: 'image' as const, mimeType: 'image/png', uri: 'file:///w/a.png', data }
    const end = await endOfCall({ call: read, content: [image] })
    expect(textsOf(end)).toEqual(['[image file:///w/a.png, image/png, 732.4 KiB]'])
  })

  it('keep every message under 1 MiB, however many blocks and locations there are', async () => {
    const content = Array.from({ length: 9000 }, (_, index) => ({
      type: 'text' as const,
      text: `line ${index}`.repeat(20),
    }))
    const locations = Array.from({ length: 9000 }, (_, index) => ({ path: `/w/${index}.ts` }))
    const updates = await runCall({ call: { ...read, content, locations }, content })
    for (const update of updates) expect(size(update)).toBeLessThan(1024 * 1024)
    expect(textsOf(updates[0]).at(-1)).toMatch(/^\[\d+ more left out\]$/)
  })

  it('cut strings of rawInput over 64 KiB with their length, and bound it in all', async () => {
    const [call] = await runCall({ call: { ...read, rawInput: { a: 'x'.repeat(100_000), b: 'short' } } })
    const { a, b } = call.rawInput as { a: string; b: string }
    expect(Buffer.byteLength(a)).toBeLessThanOrEqual(64 * 1024)
    expect([a.slice(-29), b]).toEqual(['xxxxx… [cut, 97.7 KiB in all]', 'short'])
    const [many] = await runCall({ call: { ...read, rawInput: Array.from({ length: 100 }, () => 'y'.repeat(60_000)) } })
    expect(size(many)).toBeLessThan(512 * 1024)
  })
})
