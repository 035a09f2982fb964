import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutputStream, type OutputStreamOptions } from '../../src/session/output-stream.js'

const KIB = 1024
const MIB = 1024 * KIB

function collect(options: Omit<OutputStreamOptions, 'emit'> = {}) {
  const pieces: string[] = []
  const stream = createOutputStream({ ...options, emit: text => pieces.push(text) })
  return { stream, pieces, text: () => pieces.join('') }
}

describe('createOutputStream', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('emits the first bytes at once and gathers what follows', () => {
    const { stream, pieces } = collect({ intervalMs: 50 })
    stream.write('a')
    stream.write('b')
    stream.write('c')
    expect(pieces).toEqual(['a'])
    vi.advanceTimersByTime(50)
    expect(pieces).toEqual(['a', 'bc'])
    vi.advanceTimersByTime(50)
    stream.write('d')
    expect(pieces).toEqual(['a', 'bc', 'd'])
  })

  it('emits at most about 20 times a second', () => {
    const { stream, pieces } = collect()
    for (let ms = 0; ms < 1000; ms++) {
      stream.write('.')
      vi.advanceTimersByTime(1)
    }
    expect(pieces.length).toBeLessThanOrEqual(21)
    stream.end()
    expect(pieces.join('')).toBe('.'.repeat(1000))
  })

  it('flushes everything on end, leaves no timer and drops later writes', () => {
    const { stream, text } = collect()
    stream.write('a')
    stream.write('b')
    stream.end()
    stream.end()
    stream.write('c')
    expect(text()).toBe('ab')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('joins a character that is split between chunks, also over time (B29)', () => {
    const { stream, pieces } = collect()
    const bytes = Buffer.from('你😀')
    for (const byte of bytes) {
      stream.write(Uint8Array.of(byte))
      vi.advanceTimersByTime(60)
    }
    stream.end()
    expect(pieces).toEqual(['你', '😀'])
  })

  it('joins a pair of surrogates that is split between strings (B29)', () => {
    const { stream, text } = collect()
    stream.write('x\ud83d')
    stream.write('\ude00')
    stream.end()
    expect(text()).toBe('x😀')
  })

  it('ends truncated bytes with one replacement character (B29)', () => {
    const { stream, text } = collect()
    stream.write(Buffer.from('a你').subarray(0, 3))
    stream.end()
    expect(text()).toBe('a\ufffd')
  })

  it('does not keep a buffer that the caller uses again', () => {
    const { stream, text } = collect()
    const buffer = Buffer.from('first ')
    stream.write(buffer)
    stream.write(buffer)
    buffer.fill('x')
    stream.end()
    expect(text()).toBe('first first ')
  })

  it('gives the exact text while it is within the bound', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 50 })), chunks => {
        const { stream, text } = collect({ maxBytes: 100 * KIB })
        for (const chunk of chunks) stream.write(Buffer.from(chunk))
        stream.end()
        expect(text()).toBe(Buffer.from(chunks.join('')).toString())
      }),
    )
  })

  it('keeps each piece at 64 KiB and well under 1 MiB as JSON, for every kind of byte', () => {
    for (const kind of ['\u001b', 'x', '你', '\u0000', '\n']) {
      const { stream, pieces } = collect()
      stream.write(kind.repeat(300 * KIB))
      stream.end()
      expect(Math.max(...pieces.map(piece => Buffer.byteLength(piece)))).toBeLessThanOrEqual(64 * KIB)
      expect(Math.max(...pieces.map(piece => JSON.stringify(piece).length))).toBeLessThan(512 * KIB)
    }
  })

  it('bounds the stream: head, a marker with the count of bytes left out, tail (B33)', () => {
    const { stream, text } = collect()
    const line = `${'x'.repeat(63)}\n`
    stream.write('FIRST\n')
    for (let count = 0; count < 20 * MIB; count += 64 * KIB) stream.write(Buffer.from(line.repeat(KIB)))
    stream.write('LAST\n')
    stream.end()
    const match = /^FIRST\n(?<head>(?:x{63}\n)+)\[(?<count>\d+) bytes left out\]\n(?<tail>(?:x{63}\n)+)LAST\n$/.exec(
      text(),
    )
    expect(match).not.toBeNull()
    const { head, count, tail } = match!.groups as { head: string; count: string; tail: string }
    expect(head.length + tail.length + Number(count)).toBe(20 * MIB)
    expect(text().length).toBeLessThanOrEqual(MIB + 100)
    expect(text().length).toBeGreaterThan(0.9 * MIB)
  })

  it('emits the head live and nothing more until the end', () => {
    const { stream, pieces, text } = collect({ maxBytes: 400 })
    stream.write(`${'a'.repeat(199)}\n${'b'.repeat(199)}\n`)
    vi.advanceTimersByTime(60)
    expect(text()).toBe(`${'a'.repeat(199)}\n`)
    const before = pieces.length
    stream.write('c'.repeat(1000))
    vi.advanceTimersByTime(1000)
    expect(pieces).toHaveLength(before)
    stream.end()
    expect(text()).toBe(`${'a'.repeat(199)}\n[1100 bytes left out]\n${'c'.repeat(100)}`)
  })

  it('leaves nothing out when the tail still holds all that the head had no room for', () => {
    const { stream, text } = collect({ maxBytes: 400 })
    stream.write('a'.repeat(250))
    stream.write('b'.repeat(100))
    stream.end()
    expect(text()).toBe(`${'a'.repeat(250)}${'b'.repeat(100)}`)
  })

  it('holds its bound for bytes that are not UTF-8, and never cuts into a character', () => {
    const chunk = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }).map(text => new Uint8Array(Buffer.from(text))),
    )
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 30 }), chunks => {
        const { stream, text } = collect({ maxBytes: 1200 })
        for (const bytes of chunks) stream.write(bytes)
        stream.end()
        expect(Buffer.byteLength(text())).toBeLessThanOrEqual(1200 + 50)
      }),
    )
    const { stream, text } = collect({ maxBytes: 1200 })
    stream.write('你'.repeat(10_000))
    stream.end()
    expect(text()).toMatch(/^你+\n\[\d+ bytes left out\]\n你+$/)
  })
})
