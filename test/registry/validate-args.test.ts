import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PropertySpec, type SchemaSpec, schemaSpecToJsonSchema, validateArgs } from '../../src/registry/index.js'

const entries: SchemaSpec = {
  entries: {
    type: 'array',
    required: true,
    items: {
      type: 'object',
      properties: {
        content: { type: 'string', required: true },
        status: { type: 'string', required: true, enum: ['pending', 'completed'] },
        weight: { type: 'integer' },
      },
    },
  },
  loose: { type: 'object' },
  any: { type: 'array' },
  limit: { type: 'number', default: 10 },
  level: { type: 'integer', enum: [1, 2] },
  all: { type: 'boolean' },
}

test.each<[string, unknown, string[]]>([
  [
    'all fits',
    {
      entries: [{ content: 'a', status: 'pending', weight: 1 }],
      loose: { x: 1 },
      any: [1, 'a'],
      limit: 0.5,
      level: 2,
      all: false,
    },
    [],
  ],
  ['extra keys are allowed', { entries: [], other: null }, []],
  ['a required key is missing', {}, ['entries: expected array, got nothing']],
  ['null is no value', { entries: [], limit: null }, ['limit: expected number, got null']],
  [
    'wrong primitive',
    { entries: [], limit: '5', all: 'yes' },
    ['limit: expected number, got string "5"', 'all: expected boolean, got string "yes"'],
  ],
  [
    'a fraction is no integer',
    { entries: [{ content: '', status: 'pending', weight: 0.5 }] },
    ['entries[0].weight: expected integer, got number 0.5'],
  ],
  [
    'bad enum member',
    { entries: [{ content: '', status: 'done' }], level: 3 },
    [
      'entries[0].status: expected one of "pending", "completed", got string "done"',
      'level: expected one of 1, 2, got number 3',
    ],
  ],
  [
    'array and object are two things',
    { entries: {}, loose: [], any: {} },
    [
      'entries: expected array, got object',
      'loose: expected object, got array of 0',
      'any: expected array, got object',
    ],
  ],
  ['not an object at all', [], ['arguments: expected object, got array of 0']],
])('%s', (_name, args, violations) => {
  expect(validateArgs(entries, args)).toEqual(violations)
})

test('inherited keys are no arguments', () => {
  expect(validateArgs({ toString: { type: 'string' as const, required: true } }, {})).toHaveLength(1)
})

test('violations are bounded in number and in length', () => {
  const many = validateArgs(entries, { entries: Array.from({ length: 10_000 }, () => 'x'.repeat(1000)) })
  expect(many).toHaveLength(20)
  expect(Math.max(...many.map(line => line.length))).toBeLessThan(120)
})

const property: fc.Arbitrary<PropertySpec> = fc.letrec<{ property: PropertySpec; spec: SchemaSpec }>(tie => ({
  property: fc.oneof(
    { maxDepth: 3 },
    fc.record(
      { type: fc.constant('string' as const), required: fc.boolean(), enum: fc.constantFrom(['a'], ['a', 'b']) },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constantFrom('number' as const, 'integer' as const),
        required: fc.boolean(),
        enum: fc.constantFrom([1], [1, 2.5]),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('boolean' as const), required: fc.boolean(), default: fc.boolean() },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('array' as const), required: fc.boolean(), items: tie('property') },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('object' as const), required: fc.boolean(), properties: tie('spec') },
      { requiredKeys: ['type'] },
    ),
  ),
  spec: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('property'), { maxKeys: 3 }),
})).property
const spec = fc.dictionary(fc.constantFrom('a', 'b', 'c'), property, { maxKeys: 3 })
const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: true })
const args = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(value, fc.constantFrom('a', 1, 2.5, true, {}, [], [{}])),
  { maxKeys: 3 },
)

test('validateArgs says the same as the JSON Schema of the same parameters', () => {
  const ajv = new Ajv2020({ strict: false, ownProperties: true })
  fc.assert(
    fc.property(spec, args, (schema, given) => {
      const plain = JSON.parse(JSON.stringify(given))
      expect(validateArgs(schema, plain).length === 0).toBe(ajv.validate(schemaSpecToJsonSchema(schema), plain))
      ajv.removeSchema()
    }),
    { numRuns: 150 },
  )
})
