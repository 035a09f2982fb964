import { isRecord } from '../../cards/index.js'
import { convertArray } from './convert-array.js'
import { convertObject } from './convert-object.js'
import { commonType, hasType, toEnumValues } from './enum-values.js'
import { copyBounds, copyNotes } from './keywords.js'
import { followReference } from './resolve-reference.js'
import type { Json } from './shape.js'
import { type TypeName, toTypeNames } from './type-names.js'

const MAX_BRANCHES = 32

/** One conversion of a whole input schema, within a depth and a number of schemas. */
export interface Conversion {
  readonly root: Json
  readonly maxDepth: number
  /** Schemas that may still be converted; the rest stay open. */
  left: number
  /** What was changed beyond its form, for people: `filter.where: the reference #/x leads nowhere`. */
  readonly repairs: Set<string>
}

/** Where in the schema the conversion is. */
export interface Place {
  readonly path: string
  readonly depth: number
  /** The references that were followed to get here. */
  readonly references: readonly string[]
  /** The value may be left out, so that null need not be a value of it. */
  readonly optional?: boolean
}

/** Says things that no provider takes as conditions; a model learns them from the server's answer. */
const UNTOLD = ['not', 'if', 'dependentRequired', 'dependentSchemas', 'dependencies', 'propertyNames', 'contains']

/**
 * A subschema in the form that every provider takes: references inlined, `items` and `properties` there, one type or anyOf,
 * nothing but known keywords with valid values. What is recursive, too deep or not valid becomes open: the server still checks.
 */
export function convertSchema(conversion: Conversion, given: unknown, place: Place): Json {
  if (given === true || given === undefined) return {}
  const repair = (problem: string) => conversion.repairs.add(`${place.path}: ${problem}`)
  if (!isRecord(given)) {
    repair(given === false ? 'a value that can never be given is open' : 'what is no schema is open')
    return {}
  }
  const { schema, references, lost, target } = followReference(conversion.root, given, place.references)
  if (lost === 'nowhere') repair('its reference leads nowhere, so it is open')
  if (lost === 'circle') repair('it is recursive, so its inner levels are open')
  if (lost === 'circle' && target)
    return { ...openForm({ ...target, ...schema }), ...copyNotes({ ...target, ...schema }) }
  if (place.depth > conversion.maxDepth || --conversion.left < 0) {
    repair('its parts are open, since the whole is too large')
    return { ...openForm(schema), ...copyNotes(schema) }
  }
  const here = { ...place, references }
  for (const keyword of UNTOLD)
    if (schema[keyword] !== undefined) repair(`the condition "${keyword}" is not told to a model`)
  return { ...convertValue(conversion, schema, here, repair), ...copyNotes(schema) }
}

function convertValue(conversion: Conversion, schema: Json, place: Place, repair: (problem: string) => void): Json {
  const { types: named, wrong } = toTypeNames(schema.type)
  if (wrong) repair(`its type is ${named.length === 0 ? 'unknown, so it is open' : `read as ${named.join(' or ')}`}`)
  const nullable = schema.nullable === true && named.length > 0 ? [...new Set([...named, 'null' as const])] : named
  const { values, lost } = toEnumValues(schema)
  if (lost) repair('its values are too many, too large or none, so they are not listed')
  if (values !== undefined) return toChoice(values, nullable, place)
  const branches = convertBranches(conversion, schema, place, repair)
  const types = nullable.length > 0 ? nullable : inferTypes(schema, branches)
  if (types.length === 0) return toSingle(branches)
  // Some providers know no list of types, and null is not needed where the value may be left out.
  const told = place.optional && types.length > 1 ? types.filter(type => type !== 'null') : types
  const forms = told.map(type => convertType(conversion, schema, type, place, repair))
  if (forms.length <= 1) return { ...forms[0], ...branches }
  return branches.anyOf === undefined ? { ...branches, anyOf: forms } : branches
}

function convertType(
  conversion: Conversion,
  schema: Json,
  type: TypeName,
  place: Place,
  repair: (problem: string) => void,
): Json {
  const bounds = copyBounds(schema, type, keyword => repair(`its "${keyword}" is not valid and left out`))
  if (type === 'object') return { type, ...bounds, ...convertObject(conversion, schema, place, repair) }
  if (type === 'array') return { type, ...bounds, ...convertArray(conversion, schema, place, repair) }
  return { type, ...bounds }
}

function toChoice(values: readonly unknown[], types: readonly TypeName[], place: Place): Json {
  const fitting = types.length === 0 ? values : values.filter(value => hasType(value, types))
  const kept = fitting.length === 0 ? values : fitting
  const told = place.optional && kept.length > 1 ? kept.filter(value => value !== null) : kept
  const type = commonType(told)
  return { ...(type === undefined ? {} : { type }), enum: told }
}

function convertBranches(conversion: Conversion, schema: Json, place: Place, repair: (problem: string) => void): Json {
  const branches: Json = {}
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    const given = schema[keyword]
    if (given === undefined) continue
    if (!Array.isArray(given) || given.length === 0 || given.length > MAX_BRANCHES) {
      repair(`its "${keyword}" is empty or too long and left out`)
      continue
    }
    const inner = { ...place, optional: false, depth: place.depth + 1 }
    const forms = given.map((branch, index) =>
      convertSchema(conversion, branch, { ...inner, path: `${place.path}.${keyword}[${index}]` }),
    )
    const told = place.optional && keyword !== 'allOf' ? forms.filter(({ type }) => type !== 'null') : forms
    branches[keyword] = told.length === 0 ? forms : told
  }
  return branches
}

/** Optional values are mostly written as "this or null": then this is all there is to say. */
function toSingle(branches: Json): Json {
  const keywords = Object.keys(branches)
  const [keyword] = keywords
  const forms = keyword === undefined ? undefined : branches[keyword]
  return keywords.length === 1 && Array.isArray(forms) && forms.length === 1 ? forms[0] : branches
}

function inferTypes(schema: Json, branches: Json): TypeName[] {
  if (isRecord(schema.properties)) return ['object']
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ['array']
  if (Object.keys(branches).length > 0) return []
  if (isRecord(schema.additionalProperties) || isRecord(schema.patternProperties)) return ['object']
  return schema.pattern === undefined && schema.maxLength === undefined ? [] : ['string']
}

/** Only the type: what is inside may be anything. */
function openForm(schema: Json): Json {
  const { types } = toTypeNames(schema.type)
  const type = types.find(name => name !== 'null') ?? inferTypes(schema, {})[0]
  if (type === undefined) return {}
  if (type === 'object') return { type, properties: {} }
  return type === 'array' ? { type, items: {} } : { type }
}
