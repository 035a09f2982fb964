import { describe, expect, it } from 'vitest'
import {
  assertNever,
  hasErrorCode,
  isContentBlock,
  isLocation,
  isToolCallView,
  isToolResultView,
} from '../../src/cards/index.js'

const diff = { path: 'a.ts', oldText: 'a', newText: 'b', line: 1 }

const GOOD_BLOCKS = [
  { type: 'text', text: '' },
  { type: 'image', data: 'AA==', mimeType: 'image/png', uri: 'file:///a.png' },
  { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'file:///a', text: 'a' } },
  { type: 'resource', resource: { uri: 'file:///a', mimeType: 'application/zip', blob: 'AA==' } },
  { type: 'resource_link', uri: 'file:///a', name: 'a', title: 'A', description: 'd', mimeType: 'text/plain', size: 3 },
]

const BAD_BLOCKS: unknown[] = [
  null,
  undefined,
  'text',
  [],
  {},
  { type: 'text' },
  { type: 'text', text: 1 },
  { type: 'video', data: '' },
  { type: 'toString' },
  { type: 'image', data: 'AA==' },
  { type: 'audio', data: new Uint8Array(1), mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'file:///a' } },
  { type: 'resource', resource: [] },
  { type: 'resource_link', uri: 'file:///a' },
  { type: 'resource_link', uri: 'file:///a', name: 'a', size: Number.NaN },
]

describe('isContentBlock', () => {
  it.each(GOOD_BLOCKS.map(block => [block]))('accepts %j', block => {
    expect(isContentBlock(block)).toBe(true)
  })

  it.each(BAD_BLOCKS.map(block => [block]))('rejects %j', block => {
    expect(isContentBlock(block)).toBe(false)
  })
})

describe('isToolCallView', () => {
  it.each([
    [{ card: 'generic', title: 'Read a.ts' }],
    [
      {
        card: 'generic',
        title: '',
        kind: 'switch_mode',
        rawInput: { a: [1, null, { b: undefined }] },
        content: GOOD_BLOCKS,
        locations: [{ path: 'a' }, { path: 'b', line: 1 }],
        paths: ['src'],
        extra: true,
      },
    ],
    [{ card: 'terminal', title: 'ls\nls', description: 'List', cwd: '/w' }],
    [{ card: 'diff', title: 'Edit a.ts', diffs: [diff, { ...diff, oldText: null }], locations: [] }],
  ])('accepts %j', view => {
    expect(isToolCallView(view)).toBe(true)
  })

  const cycle: { self?: unknown } = {}
  cycle.self = cycle

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', []],
    ['no card', { title: 'x' }],
    ['an unknown card', { card: 'table', title: 'x' }],
    ['a card named like a method', { card: 'constructor', title: 'x' }],
    ['no title', { card: 'terminal' }],
    ['a title that is no string', { card: 'terminal', title: 1 }],
    ['an unknown kind', { card: 'generic', title: 'x', kind: 'write' }],
    ['a bad content block', { card: 'generic', title: 'x', content: [GOOD_BLOCKS[0], { type: 'text' }] }],
    ['content with a hole', { card: 'generic', title: 'x', content: new Array(1) }],
    ['content that is no list', { card: 'generic', title: 'x', content: 'text' }],
    ['too many locations', { card: 'generic', title: 'x', locations: new Array(10_001).fill({ path: 'a' }) }],
    ['a path that is no string', { card: 'generic', title: 'x', paths: [undefined] }],
    ['raw input with a cycle', { card: 'generic', title: 'x', rawInput: cycle }],
    ['raw input that JSON cannot carry', { card: 'generic', title: 'x', rawInput: { n: 1n } }],
    ['a description that is no string', { card: 'terminal', title: 'x', description: 5 }],
    ['a diff card without diffs', { card: 'diff', title: 'x' }],
    ['a diff whose sides are equal', { card: 'diff', title: 'x', diffs: [{ ...diff, newText: 'a' }] }],
    ['a diff without oldText', { card: 'diff', title: 'x', diffs: [{ path: 'a', newText: 'b' }] }],
    ['a diff without a path', { card: 'diff', title: 'x', diffs: [{ ...diff, path: '' }] }],
    ['a diff with a line of 0', { card: 'diff', title: 'x', diffs: [{ ...diff, line: 0 }] }],
  ])('rejects %s', (_name, view) => {
    expect(isToolCallView(view)).toBe(false)
  })
})

describe('isToolResultView', () => {
  it.each([
    [{ card: 'generic' }],
    [{ card: 'generic', title: 'x', content: GOOD_BLOCKS, locations: [{ path: 'a', line: 3 }] }],
    [{ card: 'terminal', output: 'x', exitCode: 0 }],
    [{ card: 'terminal', signal: 'SIGKILL' }],
    [{ card: 'diff', title: undefined, diffs: [diff] }],
  ])('accepts %j', view => {
    expect(isToolResultView(view)).toBe(true)
  })

  it.each([
    [{ card: 'generic', title: null }],
    [{ card: 'generic', content: [{}] }],
    [{ card: 'terminal', output: ['x'] }],
    [{ card: 'terminal', exitCode: -1 }],
    [{ card: 'terminal', exitCode: '0' }],
    [{ card: 'terminal', signal: 9 }],
    [{ card: 'diff' }],
    [{ card: 'diff', diffs: [{ ...diff, oldText: undefined }] }],
    [{ card: 'image' }],
    [null],
  ])('rejects %j', view => {
    expect(isToolResultView(view)).toBe(false)
  })
})

describe('small checks', () => {
  it('a location has a path and a 1-based line or none', () => {
    expect([{ path: 'a' }, { path: 'a', line: 2 }].every(isLocation)).toBe(true)
    expect([{ path: '' }, { path: 'a', line: 0 }, { path: 'a', line: 1.5 }, { line: 1 }].some(isLocation)).toBe(false)
  })

  it('assertNever throws UNEXPECTED_VALUE', () => {
    const call = () => assertNever('surprise' as never)
    expect(call).toThrow('"surprise"')
    try {
      call()
    } catch (error) {
      expect(hasErrorCode(error, 'UNEXPECTED_VALUE')).toBe(true)
    }
  })
})
