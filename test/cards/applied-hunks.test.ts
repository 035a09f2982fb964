import { describe, expect, it, vi } from 'vitest'
import { appliedHunks } from '../../src/cards/index.js'

const PATH = '/w/a.txt'

describe('appliedHunks', () => {
  it('gives one hunk with three lines of context and the line of the change', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n'
    expect(appliedHunks(PATH, before, before.replace('five', 'FIVE'))).toEqual({
      hunks: [
        {
          path: PATH,
          oldText: 'two\nthree\nfour\nfive\nsix\nseven\neight\n',
          newText: 'two\nthree\nfour\nFIVE\nsix\nseven\neight\n',
          line: 5,
        },
      ],
    })
  })

  it('gives one entry per changed site, and one for sites whose context meets (B13)', () => {
    const file = (sites: number[], value: string) =>
      Array.from({ length: 40 }, (_, n) => (sites.includes(n) ? `${value}\n` : `line ${n}\n`)).join('')
    const apart = appliedHunks(PATH, file([3, 15, 30], '/v1/b'), file([3, 15, 30], '/v2/b'))
    expect(apart.hunks.map(hunk => hunk.line)).toEqual([4, 16, 31])
    const near = appliedHunks(PATH, file([3, 10, 30], '/v1/b'), file([3, 10, 30], '/v2/b'))
    expect(near.hunks.map(hunk => hunk.line)).toEqual([4, 31])
    expect(near.hunks[0]?.newText.match(/\/v2\/b/g)).toHaveLength(2)
  })

  it('shows each of 400 replaced sites, past the budget of the line diff (B13)', () => {
    const file = (value: string) => Array.from({ length: 8000 }, (_, n) => (n % 20 ? `${n}\n` : `${value}\n`)).join('')
    const { hunks, reason } = appliedHunks(PATH, file('old'), file('new'))
    expect(reason).toBeUndefined()
    expect(hunks).toHaveLength(400)
    expect(hunks.every(hunk => hunk.newText.includes('new\n') && hunk.oldText?.includes('old\n'))).toBe(true)
  })

  it.each([
    ['a\nb', 'a\nb\n', 2],
    ['a\nb\n', 'a\nb', 2],
    ['a\nb', 'a\nc', 2],
  ])('shows the final newline as text and never a marker (B06): %j to %j', (before, after, line) => {
    expect(appliedHunks(PATH, before, after)).toEqual({
      hunks: [{ path: PATH, oldText: before, newText: after, line }],
    })
  })

  it('has oldText null for a new file only', () => {
    expect(appliedHunks(PATH, null, '').hunks).toEqual([{ path: PATH, oldText: null, newText: '', line: 1 }])
    expect(appliedHunks(PATH, '', 'a\n').hunks).toEqual([{ path: PATH, oldText: '', newText: 'a\n', line: 1 }])
    expect(appliedHunks(PATH, 'a\nb\n', '').hunks).toEqual([{ path: PATH, oldText: 'a\nb\n', newText: '', line: 1 }])
  })

  it('numbers a deletion by the line that took its place, at the end by the last line', () => {
    const ten = Array.from({ length: 10 }, (_, n) => `${n + 1}\n`)
    const without = (...lines: number[]) => ten.filter((_, n) => !lines.includes(n + 1)).join('')
    expect(appliedHunks(PATH, ten.join(''), without(4)).hunks[0]?.line).toBe(4)
    expect(appliedHunks(PATH, ten.join(''), without(9, 10)).hunks[0]?.line).toBe(8)
  })

  it('says nothing about a file that did not change', () => {
    expect(appliedHunks(PATH, 'a\r\n', 'a\r\n')).toEqual({ hunks: [] })
  })

  it('shows a CRLF file with LF and only the changed line (B02)', () => {
    expect(appliedHunks(PATH, 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n')).toEqual({
      hunks: [{ path: PATH, oldText: 'a\nb\nc\n', newText: 'a\nB\nc\n', line: 2 }],
    })
  })

  it.each([
    ['a\r\nb\r\n', 'a\nb\n', 'CRLF → LF'],
    ['a\nb\n', 'a\r\nb\r\n', 'LF → CRLF'],
    ['a\rb\r', 'a\nb\n', 'CR → LF'],
    ['a\r\nb\n', 'a\rb\r', 'CRLF and LF → CR'],
  ])('reports a change of line endings only as a reason (B02): %j to %j', (before, after, endings) => {
    expect(appliedHunks(PATH, before, after)).toEqual({ hunks: [], reason: `Only line endings changed (${endings}).` })
  })

  it('says beside the hunks that line endings changed too (B02)', () => {
    const { hunks, reason } = appliedHunks(PATH, 'a\r\nb\r\nc\r\n', 'a\nB\nc\n')
    expect(hunks).toEqual([{ path: PATH, oldText: 'a\nb\nc\n', newText: 'a\nB\nc\n', line: 2 }])
    expect(reason).toBe('Line endings changed too (CRLF → LF).')
    expect(appliedHunks(PATH, 'a\r\nb\r\n', 'a\r\nb\r\nc\n').reason).toBeUndefined()
  })

  it('keeps a byte-order mark off the card and reports its change', () => {
    expect(appliedHunks(PATH, '\ufeffparam($x)\n', '\ufeffparam($y)\n')).toEqual({
      hunks: [{ path: PATH, oldText: 'param($x)\n', newText: 'param($y)\n', line: 1 }],
    })
    expect(appliedHunks(PATH, '\ufeffa\n', 'a\n')).toEqual({
      hunks: [],
      reason: 'The byte-order mark was removed.',
    })
    expect(appliedHunks(PATH, null, '\ufeffa\n').hunks[0]?.newText).toBe('a\n')
  })

  it('takes no huge line as context', () => {
    const huge = `${'x'.repeat(500_000)}\n`
    expect(appliedHunks(PATH, `${huge}a\n${huge}b\n`, `${huge}A\n${huge}B\n`).hunks).toEqual([
      { path: PATH, oldText: 'a\n', newText: 'A\n', line: 2 },
      { path: PATH, oldText: 'b\n', newText: 'B\n', line: 4 },
    ])
  })

  it('tells lines apart that differ in a single character of many', () => {
    const row = (n: number, mark: string) => `${'.'.repeat(60)}${n % 10}${'.'.repeat(40)}${mark}${'.'.repeat(90)}\n`
    const rows = Array.from({ length: 60 }, (_, n) => row(n, 'a'))
    const changed = rows.map((text, n) => (n === 5 || n === 30 || n === 55 ? row(n, 'b') : text))
    const { hunks } = appliedHunks(PATH, rows.join(''), changed.join(''))
    expect(hunks.map(hunk => hunk.line)).toEqual([6, 31, 56])
  })
})

describe('appliedHunks on big files (B08)', () => {
  const lines = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}\n`).join('')

  it('finds one changed line in 100,000, and two far apart', () => {
    // The line diff's time is bounded by the clock, and a busy machine would use it up.
    vi.spyOn(Date, 'now').mockReturnValue(0)
    const before = lines('line', 100_000)
    const one = before.replace('line 50000\n', 'changed\n')
    expect(appliedHunks(PATH, before, one).hunks.map(hunk => hunk.line)).toEqual([50_001])
    const two = before.replace('line 1\n', '').replace('line 99990\n', 'changed\nand more\n')
    expect(appliedHunks(PATH, before, two).hunks.map(hunk => hunk.line)).toEqual([2, 99_990])
  })

  it('shows unrelated files whole as long as they fit', () => {
    const { hunks, reason } = appliedHunks(PATH, lines('old', 5000), lines('new', 4000))
    expect(hunks).toEqual([{ path: PATH, oldText: lines('old', 5000), newText: lines('new', 4000), line: 1 }])
    expect(reason).toBeUndefined()
  })

  it.each([
    ['20,000 lines over 20,000 others', lines('some old line', 20_000), lines('some new line', 20_000)],
    ['3 MB on one line over another', `{"a":"${'x'.repeat(3e6)}"}`, `{"b":"${'y'.repeat(3e6)}"}`],
    ['more than is looked into', 'x\n'.repeat(5e6), 'y\n'.repeat(5e6)],
  ])('gives no hunks and the sizes for %s', (_name, before, after) => {
    const { hunks, reason } = appliedHunks(PATH, before, after)
    expect(hunks).toEqual([])
    expect(reason).toMatch(/^The change is too large to show \([\d.]+ [KM]iB before, [\d.]+ [KM]iB after\)\.$/)
  })

  it('gives no hunk and the size for a new file past the limit', () => {
    expect(appliedHunks(PATH, null, 'x'.repeat(300 * 1024))).toEqual({
      hunks: [],
      reason: 'The file is too large to show (300.0 KiB).',
    })
  })

  it('counts the limit in bytes', () => {
    expect(appliedHunks(PATH, null, '€€', { maxBytes: 6 }).hunks).toHaveLength(1)
    expect(appliedHunks(PATH, null, '€€', { maxBytes: 5 }).hunks).toEqual([])
  })
})
