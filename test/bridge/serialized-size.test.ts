import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serializedBytes, splitSerialized } from '../../src/bridge/wire/serialized-size.js'

const LIMIT = 100

describe('splitSerialized', () => {
  it('gives pieces within the limit that are joined the text, none empty and no pair of surrogates cut (B29)', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: fc.constantFrom('\u001b', '\n', 'x', 'é', '你', '😀'), maxLength: 400 }),
    )
    fc.assert(
      fc.property(text, text => {
        const pieces = splitSerialized(text, LIMIT)
        expect(pieces.join('')).toBe(text)
        for (const piece of pieces) {
          expect(piece).not.toBe('')
          expect(serializedBytes(piece)).toBeLessThanOrEqual(LIMIT)
          expect(piece).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
        }
      }),
    )
  })

  it('leaves whole what fits', () => {
    expect(splitSerialized('', LIMIT)).toEqual([])
    expect(splitSerialized('x'.repeat(95), LIMIT)).toEqual(['x'.repeat(95)])
  })
})
