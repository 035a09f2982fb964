import { isRecord } from '../../cards/index.js'
import { followReference } from './resolve-reference.js'
import type { Json } from './shape.js'

/** A look at a schema that ends after so many subschemas: references can make a small document endless. */
export interface Walk {
  readonly root: Json
  left: number
}

/** True if null is a value by the server's own schema: it then means something else than leaving the parameter out. */
export function acceptsNull(walk: Walk, given: unknown, references: readonly string[] = []): boolean {
  if (!isRecord(given) || --walk.left < 0) return true
  const { schema, references: followed } = followReference(walk.root, given, references)
  const { type, nullable, enum: values, anyOf, oneOf } = schema
  if (nullable === true) return true
  if (type !== undefined) return type === 'null' || (Array.isArray(type) && type.includes('null'))
  if (Array.isArray(values)) return values.includes(null)
  if (Object.hasOwn(schema, 'const')) return schema.const === null
  const branches = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  return branches === undefined || branches.some(branch => acceptsNull(walk, branch, followed))
}
