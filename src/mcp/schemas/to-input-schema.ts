import { formatBytes, isRecord } from '../../cards/index.js'
import type { ToolSchema } from '../../registry/index.js'
import { acceptsNull } from './accepts-null.js'
import { type Conversion, convertSchema } from './convert-schema.js'
import { commonType, uniqueValues } from './enum-values.js'
import { type FlatObject, flattenRoot } from './flatten-root.js'
import { copyNotes } from './keywords.js'
import { renameParameters } from './parameter-names.js'
import { countParts, type Json } from './shape.js'
import { toTypeNames } from './type-names.js'

/** More are not even looked at. */
const MAX_PARTS = 20_000
const MAX_SCHEMA_CHARS = 32 * 1024
const MAX_CONVERTED = 600
const MAX_LOOKED_AT = 500
/** Tried one after the other until the whole is small enough. */
const DEPTHS = [12, 5, 3, 1]
const MAX_REPAIRS = 8
const MAX_PATH_CHARS = 200
const MAX_CHOICES = 12

/** How a model is told of a tool's parameters, and what its arguments must become for the server. */
export interface InputSchema {
  /** Of type object, with `properties`, in the form that OpenAI, Anthropic and DeepSeek take. */
  readonly schema: ToolSchema['parameters']
  /** What was changed beyond its form, for people. */
  readonly repairs: readonly string[]
  /** From a parameter's name in `schema` to the server's, where they differ. */
  readonly original: ReadonlyMap<string, string>
  /** The parameters, by their names in `schema`, for which null is a value. */
  readonly nullable: ReadonlySet<string>
}

/** The input schema of a server's tool, kept or repaired; or why the tool has to be left out. Never throws, bounded in time. */
export function toInputSchema(given: unknown): InputSchema | { leftOut: string } {
  const root = given === undefined || given === null || given === true ? {} : given
  if (!isRecord(root)) return { leftOut: 'its input schema is none' }
  if (countParts(root, MAX_PARTS) > MAX_PARTS) return { leftOut: 'its input schema is too large' }
  const { types } = toTypeNames(root.type)
  const flat = flattenRoot({ root, left: MAX_LOOKED_AT }, root)
  if (!flat) {
    const what = types[0] === undefined ? 'no object' : `a value of the type ${types[0]}`
    return { leftOut: `its input is ${what}, and a model can give an object only` }
  }
  let size = 0
  for (const maxDepth of DEPTHS) {
    const repairs = new Set(given === root ? [] : ['it has no input schema, so its parameters are open'])
    const result = build({ root, maxDepth, left: MAX_CONVERTED, repairs }, flat)
    size = JSON.stringify(result.schema).length
    if (size <= MAX_SCHEMA_CHARS) return result
  }
  return { leftOut: `its input schema is too large (${formatBytes(size)} when shortened)` }
}

function build(conversion: Conversion, flat: FlatObject): InputSchema {
  const { root, repairs } = conversion
  const required = new Set(flat.required)
  const isClosed = root.additionalProperties === false && !flat.branched && !isRecord(root.patternProperties)
  const converted = [...flat.properties].flatMap(([name, forms]): [string, Json][] => {
    if (forms.every(form => form === false)) {
      repairs.add(`${name}: it may never be given, so it is left out`)
      required.delete(name)
      return []
    }
    const place = { path: name, depth: 1, references: [], optional: !required.has(name) }
    return [[name, toOneForm(forms.map(form => convertSchema(conversion, form, place)))]]
  })
  const known: Json = Object.fromEntries(converted)
  for (const name of required) {
    if (Object.hasOwn(known, name)) continue
    if (isClosed) required.delete(name)
    else converted.push([name, {}])
    repairs.add(`${name}: it is required but not described, so it is ${isClosed ? 'left out' : 'open'}`)
  }
  const { told, original } = renameParameters(Object.fromEntries(converted))
  const toldNames = new Map([...original].map(([toldName, name]) => [name, toldName]))
  const inTold = (name: string) => toldNames.get(name) ?? name
  for (const [toldName, name] of original) repairs.add(`${name}: a model is told of it as ${toldName}`)
  if (flat.branched) repairs.add('the alternatives at its top are told as one list of parameters')
  const description = toDescription(root, flat, inTold)
  const walk = { root, left: MAX_LOOKED_AT }
  return {
    schema: {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      properties: told,
      ...(required.size > 0 ? { required: [...required].map(inTold) } : {}),
      ...(isClosed ? { additionalProperties: false } : {}),
    },
    repairs: toShort(repairs),
    original,
    nullable: new Set(
      [...flat.properties].flatMap(([name, forms]) =>
        forms.some(form => acceptsNull(walk, form)) ? [inTold(name)] : [],
      ),
    ),
  }
}

/** What several branches say of one parameter: one choice of values if they are that, else any of the forms. */
function toOneForm(forms: readonly Json[]): Json {
  const unique = uniqueValues(forms) as Json[]
  const [first = {}] = unique
  if (unique.length === 1) return first
  const values = unique.flatMap(form => (Array.isArray(form.enum) ? form.enum : []))
  if (unique.every(form => Array.isArray(form.enum))) {
    const all = uniqueValues(values)
    const type = commonType(all)
    return { ...(type === undefined ? {} : { type }), enum: all, ...copyNotes(first) }
  }
  return unique.some(form => Object.keys(form).length === 0) ? {} : { anyOf: unique }
}

function toDescription(root: Json, flat: FlatObject, inTold: (name: string) => string): string | undefined {
  const { description } = copyNotes({ description: root.description })
  const choices = flat.choices.filter(names => names.length > 0).map(names => names.map(inTold).join(', '))
  const listed = [...new Set(choices)]
  if (listed.length < 2 || listed.length > MAX_CHOICES) return description as string | undefined
  const line = `Give one of these sets of parameters: ${listed.join(' | ')}.`
  return description === undefined ? line : `${description}\n${line}`
}

function toShort(repairs: ReadonlySet<string>): string[] {
  const shown = [...repairs].slice(0, MAX_REPAIRS).map(repair => repair.slice(-MAX_PATH_CHARS))
  return repairs.size > MAX_REPAIRS ? [...shown, `and ${repairs.size - MAX_REPAIRS} more`] : shown
}
