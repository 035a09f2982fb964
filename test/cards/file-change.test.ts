import { describe, expect, it } from 'vitest'
import {
  type FileChange,
  type FileStates,
  fileChangeView,
  isFileChange,
  isToolResultView,
  type JsonValue,
  toFileChange,
} from '../../src/cards/index.js'

const path = '/w/a.txt'
const binary = (sizeBytes: number) => ({ binary: true as const, sizeBytes })

const CASES: [name: string, states: FileStates, view: unknown][] = [
  [
    'a created file is a diff from nothing',
    { path, before: null, after: 'a\n' },
    { card: 'diff', diffs: [{ path, oldText: null, newText: 'a\n', line: 1 }] },
  ],
  [
    'an empty created file is a diff too',
    { path, before: null, after: '' },
    { card: 'diff', diffs: [{ path, oldText: null, newText: '', line: 1 }] },
  ],
  [
    'a modified file is a diff that keeps the title of the call',
    { path, before: 'a\n', after: 'b\n' },
    { card: 'diff', diffs: [{ path, oldText: 'a\n', newText: 'b\n', line: 1 }] },
  ],
  [
    'what the hunks do not show stands in the title (B02)',
    { path, before: 'a\r\nb\r\n', after: 'a\nB\n' },
    {
      card: 'diff',
      title: 'Edit /w/a.txt: Line endings changed too (CRLF → LF).',
      diffs: [{ path, oldText: 'a\nb\n', newText: 'a\nB\n', line: 2 }],
    },
  ],
  [
    'a change of line endings only is a text (B02)',
    { path, before: 'a\r\n', after: 'a\n' },
    {
      card: 'generic',
      content: [{ type: 'text', text: 'Changed /w/a.txt. Only line endings changed (CRLF → LF).' }],
      locations: [{ path }],
    },
  ],
  [
    'a deleted file is a diff to nothing with a title of its own',
    { path, before: '\ufeffa\r\n', after: null },
    { card: 'diff', title: 'Delete /w/a.txt', diffs: [{ path, oldText: 'a\n', newText: '', line: 1 }] },
  ],
  [
    'a deleted empty file is a text without a place to go to',
    { path, before: '', after: null },
    { card: 'generic', title: 'Delete /w/a.txt', content: [{ type: 'text', text: 'Deleted /w/a.txt.' }] },
  ],
  [
    'a moved file is a text with both paths',
    { path, movedFrom: '/w/old.txt', before: 'a\n', after: 'a\n' },
    {
      card: 'generic',
      title: 'Move /w/old.txt to /w/a.txt',
      content: [{ type: 'text', text: 'Moved /w/old.txt to /w/a.txt.' }],
      locations: [{ path }],
    },
  ],
  [
    'a file moved and changed is a diff titled as a move',
    { path, movedFrom: '/w/old.txt', before: 'a\n', after: 'b\n' },
    {
      card: 'diff',
      title: 'Move /w/old.txt to /w/a.txt',
      diffs: [{ path, oldText: 'a\n', newText: 'b\n', line: 1 }],
    },
  ],
  [
    'binary content is a text with path and sizes',
    { path, before: 'abc', after: binary(2048) },
    {
      card: 'generic',
      content: [
        { type: 'text', text: 'Changed /w/a.txt. Binary content is not shown (3 bytes before, 2.0 KiB after).' },
      ],
      locations: [{ path }],
    },
  ],
  [
    'a deleted binary file says what went',
    { path, before: binary(10), after: null },
    {
      card: 'generic',
      title: 'Delete /w/a.txt',
      content: [{ type: 'text', text: 'Deleted /w/a.txt. Binary content is not shown (10 bytes before).' }],
    },
  ],
  [
    'a change too large for a diff is a text with path and sizes (B08)',
    { path, before: 'a'.repeat(200 * 1024), after: 'b'.repeat(2 * 1024 ** 2) },
    {
      card: 'generic',
      content: [
        {
          type: 'text',
          text: 'Changed /w/a.txt. The change is too large to show (200.0 KiB before, 2.0 MiB after).',
        },
      ],
      locations: [{ path }],
    },
  ],
  [
    'a file that stayed as it was says so',
    { path, before: 'a\n', after: 'a\n' },
    { card: 'generic', content: [{ type: 'text', text: 'Nothing changed in /w/a.txt.' }], locations: [{ path }] },
  ],
]

describe('the card of a file change', () => {
  it.each(CASES)('%s', (_name, states, view) => {
    const change = toFileChange(states)
    const shown = fileChangeView(change)
    expect(shown).toEqual(view)
    expect(isToolResultView(shown)).toBe(true)
  })

  it.each(CASES)('is the same from the log: %s', (_name, states) => {
    const meta: JsonValue = toFileChange(states)
    const logged: unknown = JSON.parse(JSON.stringify(meta))
    expect(isFileChange(logged)).toBe(true)
    expect(fileChangeView(logged as FileChange)).toEqual(fileChangeView(toFileChange(states)))
  })

  it('refuses to take other data for a file change', () => {
    const good = toFileChange({ path, before: 'a', after: 'b' })
    for (const bad of [
      null,
      [],
      { ...good, type: 'renamed' },
      { ...good, path: 1 },
      { ...good, hunks: [{}] },
      { ...good, reason: 1 },
    ]) {
      expect(isFileChange(bad)).toBe(false)
    }
  })
})
