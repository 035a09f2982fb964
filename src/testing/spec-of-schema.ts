import { isRecord } from '../cards/index.js'
import type { PropertySpec, SchemaSpec } from '../registry/index.js'
import type { JsonSchema } from '../registry/types.js'

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object']

/**
 * What a JSON Schema says that a {@link SchemaSpec} can say: types, required keys, enums, nested. What it says beyond that
 * is left out, so that whatever does not fit the spec does not fit the schema either.
 */
export function specOfSchema(schema: JsonSchema): SchemaSpec {
  const { properties, required } = schema
  if (!isRecord(properties)) return {}
  const needed: unknown[] = Array.isArray(required) ? required : []
  const entries = Object.entries(properties).flatMap(([name, property]): [string, PropertySpec][] => {
    const spec = isRecord(property) ? toProperty(property) : undefined
    return spec === undefined ? [] : [[name, { ...spec, required: needed.includes(name) }]]
  })
  return Object.fromEntries(entries)
}

function toProperty(schema: JsonSchema): PropertySpec | undefined {
  const { type, items } = schema
  // A reference or an alternative may allow more than the type beside it says.
  if (typeof type !== 'string' || !TYPES.includes(type) || '$ref' in schema || schema.nullable === true)
    return undefined
  if (type === 'object') return { type, ...(isRecord(schema.properties) && { properties: specOfSchema(schema) }) }
  if (type === 'array') {
    const spec = isRecord(items) ? toProperty(items) : undefined
    return { type, ...(spec && { items: spec }) }
  }
  const values = Array.isArray(schema.enum) ? { enum: schema.enum } : {}
  return { type, ...values } as PropertySpec
}
