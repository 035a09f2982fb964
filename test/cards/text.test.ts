import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  byteLength,
  cutText,
  fence,
  formatBytes,
  headAndTail,
  leftOutMarker,
  oneLine,
  takeFirstBytes,
  takeLastBytes,
  toLf,
  toWellFormed,
  visibleControls,
} from '../../src/cards/index.js'

/** Text with everything that goes wrong at a cut: pairs, lone surrogates, newlines, controls. */
const text = fc
  .array(fc.constantFrom('a', 'é', '€', '🙂', '\ud83d', '\ude42', '\n', '\r\n', '\t', '\u202e', '\x1b', ' '), {
    maxLength: 80,
  })
  .map(parts => parts.join(''))

describe('fence', () => {
  it.each([3, 4, 5, 9])('is longer than a run of %i backticks inside (B36)', count => {
    const inside = `before\n${'`'.repeat(count)}\nafter`
    const marks = '`'.repeat(count + 1)
    expect(fence(inside, 'console')).toBe(`${marks}console\n${inside}\n${marks}`)
  })

  it('has three backticks otherwise, and adds a newline only where one is missing', () => {
    expect(fence('a `b` ``c``\n')).toBe('```\na `b` ``c``\n```')
    expect(fence('')).toBe('```\n```')
  })

  it('lets no backtick or newline into the info string', () => {
    expect(fence('x', 'a`\nb')).toBe('```ab\nx\n```')
  })
})

describe('oneLine', () => {
  it('shows inner newlines, drops outer blanks and cuts with an ellipsis (B39)', () => {
    expect(oneLine('\n  echo one\r\necho two\n\techo\rthree \n', 200)).toBe('echo one⏎echo two⏎⇥echo⏎three')
    expect(oneLine('x'.repeat(10_000), 200)).toBe(`${'x'.repeat(199)}…`)
    expect(oneLine(`${'\r\n'.repeat(100)}a${'\r\n'.repeat(300)}b`, 10)).toBe('a⏎⏎⏎⏎⏎⏎⏎⏎…')
    expect(oneLine('', 200)).toBe('')
    expect(oneLine(' \n\t ', 200)).toBe('')
  })

  it('is bounded, well-formed and without line breaks or controls, whatever comes in (B39)', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (value, max) => {
        const line = oneLine(value, max)
        expect(line.length).toBeLessThanOrEqual(max)
        expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202e]/u)
        if (value.trim() !== '') expect(line).not.toBe('')
      }),
    )
  })

  it('cuts on a code point', () => {
    expect(cutText('ab🙂cd', 4)).toBe('ab…')
    expect(cutText('ab🙂cd', 5)).toBe('ab🙂…')
    expect(cutText('🙂🙂', 1)).toBe('…')
    expect(cutText('ab', 2)).toBe('ab')
  })
})

describe('visibleControls', () => {
  it('shows controls, bidi and zero-width characters', () => {
    expect(visibleControls('a\tb\x1b[0m\x00\x7f')).toBe('a⇥b␛[0m␀␡')
    expect(visibleControls('rm \u202e/txt.x\u2066')).toBe('rm ⟨U+202E⟩/txt.x⟨U+2066⟩')
    expect(visibleControls('a\u200bb\ufeff\u00ad\u0085\u{e0041}')).toBe('a⟨U+200B⟩b⟨U+FEFF⟩⟨U+00AD⟩⟨U+0085⟩⟨U+E0041⟩')
  })

  it('keeps newlines if asked to', () => {
    expect(visibleControls('a\r\nb\nc')).toBe('a⏎b⏎c')
    expect(visibleControls('a\r\nb\nc\rd', { keepNewlines: true })).toBe('a\nb\nc␍d')
  })

  it('leaves plain words, accents and emoji alone', () => {
    const plain = 'naïve café 日本 مرحبا 👩‍💻 ❤️ 👨🏽‍🚀 a-b_c'
    expect(visibleControls(plain)).toBe(plain)
  })
})

describe('headAndTail', () => {
  it('keeps text that fits as it is', () => {
    expect(headAndTail('é\n', 3)).toBe('é\n')
  })

  it('states how many bytes were left out, between whole lines', () => {
    const lines = Array.from({ length: 1000 }, (_, n) => `line ${n}\n`).join('')
    const cut = headAndTail(lines, 400)
    const [head, tail] = cut.split(/^\[\d+ bytes left out\]\n/m) as [string, string]
    const left = byteLength(lines) - byteLength(head) - byteLength(tail)
    expect(cut).toBe(`${head}${leftOutMarker(left)}\n${tail}`)
    expect(lines.startsWith(head) && head.endsWith('\n')).toBe(true)
    expect(lines.endsWith(`\n${tail}`)).toBe(true)
  })

  it('is bounded, well-formed, and counts right, whatever comes in', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 120 }), (value, maxBytes) => {
        const cut = headAndTail(value, maxBytes)
        expect(byteLength(cut)).toBeLessThanOrEqual(maxBytes)
        expect(cut).toBe(toWellFormed(cut))
        const [, head, left, tail] = cut.match(/^([\s\S]*?)\[(\d+) bytes? left out\]\n([\s\S]*)$/) ?? []
        if (head !== undefined && tail !== undefined) {
          // A newline may stand before the marker that is not the text's own.
          const counted = byteLength(head) + Number(left) + byteLength(tail)
          expect([byteLength(value), byteLength(value) + 1]).toContain(counted)
        }
        if (byteLength(value) <= maxBytes) expect(cut).toBe(toWellFormed(value))
      }),
    )
  })
})

describe('bytes of text', () => {
  it('takes the longest start and end that fit, never splitting a code point', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 100 }), (value, maxBytes) => {
        const whole = toWellFormed(value)
        const first = takeFirstBytes(value, maxBytes)
        const last = takeLastBytes(value, maxBytes)
        expect(whole.startsWith(first) && whole.endsWith(last)).toBe(true)
        for (const [taken, next] of [
          [first, [...whole.slice(first.length)][0]],
          [last, [...whole.slice(0, whole.length - last.length)].at(-1)],
        ] as const) {
          expect(byteLength(taken)).toBeLessThanOrEqual(maxBytes)
          if (next !== undefined) expect(byteLength(taken) + byteLength(next)).toBeGreaterThan(maxBytes)
        }
      }),
    )
  })

  it('names sizes for a reader', () => {
    expect([0, 1, 1023, 1024, 1024 ** 2 - 1, 3 * 1024 ** 2, 5 * 1024 ** 3].map(formatBytes)).toEqual([
      '0 bytes',
      '1 byte',
      '1023 bytes',
      '1.0 KiB',
      '1.0 MiB',
      '3.0 MiB',
      '5.0 GiB',
    ])
  })

  it('makes every line ending LF', () => {
    expect(toLf('a\r\nb\rc\n\r\r\nd')).toBe('a\nb\nc\n\n\nd')
  })
})
