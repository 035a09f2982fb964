import { isRecord } from '../../cards/index.js'
import { type Conversion, convertSchema, type Place } from './convert-schema.js'
import type { Json } from './shape.js'

/** `properties`, `required` and `additionalProperties` of an object; `properties` is always there, for providers that insist on it. */
export function convertObject(
  conversion: Conversion,
  schema: Json,
  place: Place,
  repair: (problem: string) => void,
): Json {
  const given = isRecord(schema.properties) ? schema.properties : {}
  const required = toRequired(schema, given)
  const isClosed = schema.additionalProperties === false
  const entries = Object.entries(given).flatMap(([name, property]): [string, Json][] => {
    if (property === false) {
      repair(`the parameter ${name}, which may never be given, is left out`)
      return []
    }
    const inner = { path: `${place.path}.${name}`, depth: place.depth + 1, references: place.references }
    return [[name, convertSchema(conversion, property, { ...inner, optional: !required.has(name) })]]
  })
  const properties: Json = Object.fromEntries(entries)
  for (const name of required) {
    if (Object.hasOwn(properties, name)) continue
    if (isClosed) required.delete(name)
    else entries.push([name, {}])
    repair(`the required ${name} is not among its properties, so it is ${isClosed ? 'left out' : 'open'}`)
  }
  return {
    properties: Object.fromEntries(entries),
    ...(required.size > 0 ? { required: [...required] } : {}),
    ...toAdditional(conversion, schema, place, repair),
  }
}

/** The names that must be given: of the list, and of the third draft's flags on the properties themselves. */
export function toRequired(schema: Json, properties: Json): Set<string> {
  const listed = Array.isArray(schema.required) ? schema.required.filter(name => typeof name === 'string') : []
  const flagged = Object.entries(properties).flatMap(([name, property]) =>
    isRecord(property) && property.required === true ? [name] : [],
  )
  return new Set([...listed, ...flagged])
}

function toAdditional(conversion: Conversion, schema: Json, place: Place, repair: (problem: string) => void): Json {
  if (isRecord(schema.patternProperties) && Object.keys(schema.patternProperties).length > 0) {
    repair('what its further names must look like is not told to a model')
    return {}
  }
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'boolean') return additionalProperties ? {} : { additionalProperties }
  if (!isRecord(additionalProperties)) return {}
  const inner = { path: `${place.path}.*`, depth: place.depth + 1, references: place.references }
  return { additionalProperties: convertSchema(conversion, additionalProperties, inner) }
}
