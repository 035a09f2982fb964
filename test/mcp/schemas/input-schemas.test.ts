import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ODD_SCHEMAS } from '../../../fixtures/mcp/odd-schemas.js'
import { rejections } from '../../../fixtures/mcp/provider-rules.js'
import { toInputSchema } from '../../../src/mcp/schemas/index.js'

describe('the input schema of a tool of a server', () => {
  it.each(Object.entries(ODD_SCHEMAS))('with %s is refused as it is only by whom it should be (B77)', (_what, odd) => {
    // JSON, as it came over the wire.
    expect(Object.keys(rejections(odd.schema)).sort()).toEqual([...odd.refusedBy].sort())
  })

  it.each(Object.entries(ODD_SCHEMAS).filter(([, { leftOut }]) => leftOut !== undefined))(
    'with %s is left out, and says why (B77)',
    (_what, { schema, leftOut }) => {
      const reason: unknown = Object.values(toInputSchema(schema))[0]
      expect(reason).toContain(leftOut)
    },
  )

  it.each(Object.entries(ODD_SCHEMAS).filter(([, { leftOut }]) => leftOut === undefined))(
    'with %s is repaired so that every provider takes it (B77)',
    (_what, { schema, becomes = {} }) => {
      const input = toInputSchema(schema)
      expect(input).toMatchObject({ schema: becomes })
      expect('schema' in input && rejections(input.schema)).toEqual({})
    },
  )

  it('that all providers take stays as it is, and is no repair', () => {
    const schema = {
      type: 'object',
      description: 'What to find.',
      properties: {
        query: { type: 'string', minLength: 1, description: 'Words.' },
        limit: { type: 'integer', minimum: 1, default: 10 },
        sort: { type: 'string', enum: ['new', 'old'] },
        tags: { type: 'array', items: { type: 'string' } },
        range: { type: 'object', properties: { from: { type: 'string', format: 'date' } }, required: ['from'] },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
      required: ['query'],
      additionalProperties: false,
    }
    const input = toInputSchema(schema)
    expect(input).toMatchObject({ schema, repairs: [] })
    expect('schema' in input && input.schema).toEqual(schema)
  })

  it('names what was repaired by the place of it', () => {
    const input = toInputSchema({ type: 'object', properties: { filter: { properties: { where: { $ref: '#/x' } } } } })
    expect(input).toMatchObject({ repairs: ['filter.where: its reference leads nowhere, so it is open'] })
  })

  it('of any JSON gives a small schema that every provider takes, or a reason', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'required',
      'items',
      'anyOf',
      'allOf',
      'enum',
      '$ref',
      'const',
    )
    const { schema } = fc.letrec<{ schema: unknown }>(tie => ({
      schema: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue(),
        fc.constantFrom('object', 'array', '#', '#/properties/a', '#/anyOf/0'),
        fc.array(tie('schema'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(keyword, fc.string()), tie('schema'), { maxKeys: 5 }),
        fc.record({
          type: fc.constantFrom('object', 'array', 'string'),
          properties: fc.dictionary(fc.string(), tie('schema')),
        }),
      ),
    }))
    fc.assert(
      fc.property(schema, given => {
        const input = toInputSchema(given)
        if ('leftOut' in input) {
          expect(input.leftOut).toMatch(/^its input/)
          return
        }
        expect(rejections(input.schema)).toEqual({})
        expect(JSON.stringify(input.schema).length).toBeLessThan(40_000)
        // The conversion is one: what it makes is a schema that it would not change.
        expect(toInputSchema(input.schema)).toMatchObject({ repairs: [] })
      }),
      { numRuns: 400 },
    )
  })
})
