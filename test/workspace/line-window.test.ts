import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineWindow } from '../../src/workspace/line-window.js'

describe('LineWindow', () => {
  it('picks the same lines and counts the same, however the file is cut into pieces', () => {
    const content = fc.array(fc.constantFrom('a', 'bc', 'é', '\n', '\r\n', '\r'), { maxLength: 40 })
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(
        content,
        sizes,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 6 }),
        (parts, cuts, first, count) => {
          const text = parts.join('')
          const window = new LineWindow({ first, count, maxBytes: 10_000, maxLineBytes: 10_000 })
          const bytes = Buffer.from(text)
          for (let at = 0, n = 0; at < bytes.length; n++) {
            const size = cuts[n % cuts.length]!
            window.push(bytes.subarray(at, at + size))
            at += size
          }
          window.end()
          const lines = text.split(/\r\n|\r|\n/)
          if (lines.at(-1) === '') lines.pop()
          expect(window.lineCount).toBe(lines.length)
          expect(window.lines.map(line => line.bytes.toString())).toEqual(lines.slice(first - 1, first - 1 + count))
          expect(window.lines.map(line => line.number)).toEqual(window.lines.map((_, n) => first + n))
        },
      ),
    )
  })
})
