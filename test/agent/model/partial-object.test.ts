import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PartialObject } from '../../../src/agent/model/partial-object.js'

/** Feeds a text in pieces, and gives the keys that each piece completed. */
function feed(pieces: readonly string[]): { reader: PartialObject; completed: string[][] } {
  const reader = new PartialObject()
  const seen = new Set<string>()
  const completed = pieces.map(piece => {
    const hasMore = reader.push(piece)
    const fresh = Object.keys(reader.toObject()).filter(key => !seen.has(key))
    for (const key of fresh) seen.add(key)
    expect(fresh.length > 0).toBe(hasMore)
    return fresh
  })
  return { reader, completed }
}

function cut(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map(at => at % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length))
}

const jsonText = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.constantFrom(0, 1, 2))

describe('arguments that stream', () => {
  it('give each key as soon as its value is complete, and a number only at what follows it', () => {
    const { completed, reader } = feed(['{"path": "a', '.ts", "line": 1', '2', ', "all": tru', 'e}', ' '])
    expect(completed).toEqual([[], ['path'], [], ['line'], ['all'], []])
    expect(reader.toObject()).toEqual({ path: 'a.ts', line: 12, all: true })
  })

  it('are whole at the end, however they were cut and spaced', () => {
    fc.assert(
      fc.property(jsonText, fc.array(fc.nat(), { maxLength: 20 }), ([value, indent], cuts) => {
        const text = JSON.stringify(value, undefined, indent)
        const { reader } = feed(cut(text, cuts))
        expect(reader.toObject()).toEqual(JSON.parse(text))
      }),
    )
  })

  it('never give a value that differs from the one at the end', () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), ([value], at) => {
        const text = JSON.stringify(value)
        const { reader } = feed([text.slice(0, at % (text.length + 1))])
        const whole = JSON.parse(text)
        for (const [key, early] of Object.entries(reader.toObject())) expect(early).toEqual(whole[key])
      }),
    )
  })

  it('may be anything: what is no object gives no keys', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'{}[]":,\\ntrue0 ') }), { maxLength: 10 }), pieces => {
        const reader = new PartialObject()
        for (const piece of pieces) reader.push(piece)
        expect(typeof reader.toObject()).toBe('object')
      }),
    )
    for (const text of ['', 'null', '5', '[]', '[{"a":1}]', '"a"']) expect(feed([text]).reader.toObject()).toEqual({})
  })

  it('leave out a long value and go on behind it', () => {
    const content = JSON.stringify('x"\\\n'.repeat(5000))
    const { reader } = feed(['{"content": ', content.slice(0, 7001), content.slice(7001), ', "path": "a"}'])
    expect(reader.toObject()).toEqual({ path: 'a' })
  })

  it('hold an own key for each name, whatever it is', () => {
    const { reader } = feed(['{"__proto__": {"x": 1}, "a": 2}'])
    expect(Object.keys(reader.toObject())).toEqual(['__proto__', 'a'])
    expect(Object.getPrototypeOf(reader.toObject())).toBe(Object.prototype)
  })
})
