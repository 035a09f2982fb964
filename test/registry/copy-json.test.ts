import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyJson } from '../../src/registry/copy-json.js'

test('copyJson gives what JSON gives back', () => {
  const values = fc.anything({
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
  })
  fc.assert(
    fc.property(values, value => {
      const json: string | undefined = JSON.stringify(value)
      expect(copyJson(value)).toEqual(json === undefined ? undefined : JSON.parse(json))
    }),
    { numRuns: 300 },
  )
})

test('minus zero is zero, own toJSON is asked, a key named __proto__ is data', () => {
  expect(Object.is(copyJson(-0), 0)).toBe(true)
  expect(copyJson({ a: { toJSON: () => 'own' } })).toEqual({ a: 'own' })
  expect(Object.keys(copyJson(JSON.parse('{"__proto__":1}')) as object)).toEqual(['__proto__'])
})

test('cycles, bigints and endless depth throw', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = [cyclic]
  expect(() => copyJson(cyclic)).toThrow()
  expect(() => copyJson({ a: [1n] })).toThrow()
  let deep: unknown = 1
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep]
  expect(() => copyJson(deep)).toThrow()
})
