import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteTail, cutAfter, cutBefore, Utf8Joiner } from '../../src/cards/index.js'

/** `bytes` in pieces of the given sizes, repeated as long as there are bytes. */
function split(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })

describe('Utf8Joiner', () => {
  it('hands on chunks that decode alone to the exact text, wherever they were split (B29)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), sizes, (text, sizes) => {
        const joiner = new Utf8Joiner()
        const decoded = split(Buffer.from(text), sizes).map(chunk => Buffer.from(joiner.push(chunk)).toString())
        expect(decoded.join('') + Buffer.from(joiner.end()).toString()).toBe(Buffer.from(text).toString())
      }),
    )
  })

  it('decodes invalid bytes as one piece would, whatever the chunks (B29)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), sizes, (bytes, sizes) => {
        const joiner = new Utf8Joiner()
        const chunks = split(bytes, sizes).map(chunk => Buffer.from(joiner.push(chunk)).toString())
        expect(chunks.join('') + Buffer.from(joiner.end()).toString()).toBe(Buffer.from(bytes).toString())
      }),
    )
  })

  it('gives one replacement character for bytes truncated at the true end (B29)', () => {
    const joiner = new Utf8Joiner()
    expect(joiner.push(Buffer.from('😀').subarray(0, 3))).toHaveLength(0)
    expect(Buffer.from(joiner.end()).toString()).toBe('\ufffd')
  })

  it('gives one replacement character for each byte at the end that can begin or continue nothing (B29)', () => {
    const joiner = new Utf8Joiner()
    expect(joiner.push(Uint8Array.of(0xe0, 0x80))).toHaveLength(0)
    expect(Buffer.from(joiner.end()).toString()).toBe('\ufffd\ufffd')
    expect(joiner.end()).toHaveLength(0)
  })
})

describe('cutBefore and cutAfter', () => {
  it('prefer a line break that is near', () => {
    const bytes = Buffer.from('one\ntwo\nthree')
    expect(bytes.subarray(0, cutBefore(bytes, 6)).toString()).toBe('one\n')
    expect(bytes.subarray(cutAfter(bytes, 5)).toString()).toBe('three')
  })

  it('never split a character (B29)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (text, at) => {
        const bytes = Buffer.from(text)
        const limit = at % bytes.length
        expect(bytes.subarray(0, cutBefore(bytes, limit)).toString()).not.toContain('\ufffd')
        expect(bytes.subarray(cutAfter(bytes, limit)).toString()).not.toContain('\ufffd')
      }),
    )
  })
})

describe('ByteTail', () => {
  it('keeps exactly the last bytes and counts all', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), fc.integer({ min: 0, max: 30 }), (chunks, maxBytes) => {
        const tail = new ByteTail(maxBytes)
        for (const chunk of chunks) tail.push(chunk)
        const all = Buffer.concat(chunks)
        expect(tail.totalBytes).toBe(all.length)
        expect(tail.read().equals(all.subarray(Math.max(0, all.length - maxBytes)))).toBe(true)
      }),
    )
  })
})
