import { type Conversion, convertSchema, type Place } from './convert-schema.js'
import { uniqueValues } from './enum-values.js'
import type { Json } from './shape.js'

const MAX_PLACES = 32

/** `items` of an array: always there, and one schema for all items, which is all that every provider takes. */
export function convertArray(
  conversion: Conversion,
  schema: Json,
  place: Place,
  repair: (problem: string) => void,
): Json {
  const { items, prefixItems } = schema
  const inner = { path: `${place.path}[]`, depth: place.depth + 1, references: place.references }
  const listed = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined
  if (listed === undefined) return { items: convertSchema(conversion, items === false ? true : items, inner) }
  repair('a list whose places differ is told as a list of any of them')
  if (listed.length === 0 || listed.length > MAX_PLACES) return { items: {} }
  const rest = Array.isArray(items) ? schema.additionalItems : items
  const forms = uniqueValues(listed.map(item => convertSchema(conversion, item, inner))) as Json[]
  const isOpen = forms.some(form => Object.keys(form).length === 0) || (rest !== false && rest !== undefined)
  const bounds = rest === false ? { maxItems: listed.length } : {}
  return { items: isOpen ? {} : forms.length === 1 ? forms[0] : { anyOf: forms }, ...bounds }
}
