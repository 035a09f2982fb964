import { isSmall, type Json } from './shape.js'
import { type TypeName, typeOf } from './type-names.js'

const MAX_VALUES = 250
const MAX_PARTS = 1000

/** The values that a schema allows by `enum` or `const`, each once; `lost` if there are more than can be told, or none. */
export function toEnumValues(schema: Json): { values?: unknown[]; lost?: true } {
  if (Object.hasOwn(schema, 'const'))
    return isSmall(schema.const, MAX_PARTS) ? { values: [schema.const] } : { lost: true }
  const { enum: given } = schema
  if (given === undefined) return {}
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_VALUES || !isSmall(given, MAX_PARTS)) {
    return { lost: true }
  }
  return { values: uniqueValues(given) }
}

/** The one type that all values have; integers and other numbers together are numbers. Undefined for objects and arrays. */
export function commonType(values: readonly unknown[]): TypeName | undefined {
  const types = new Set(values.map(typeOf))
  if (types.size === 2 && types.has('integer') && types.has('number')) return 'number'
  const [type] = types
  // Providers want the type of those to say what is inside.
  return types.size === 1 && type !== 'object' && type !== 'array' ? type : undefined
}

/** True if a value may have one of these types. */
export function hasType(value: unknown, types: readonly TypeName[]): boolean {
  const type = typeOf(value)
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

/** The values, each once, in their order. */
export function uniqueValues(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()]
}
