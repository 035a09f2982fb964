import { isRecord } from '../../cards/index.js'
import type { Walk } from './accepts-null.js'
import { toRequired } from './convert-object.js'
import { followReference } from './resolve-reference.js'
import type { Json } from './shape.js'
import { toTypeNames } from './type-names.js'

const MAX_BRANCHES = 64
const MAX_DEPTH = 8

/** All that an object's schema and the branches at its top say of its parameters. */
export interface FlatObject {
  /** For each parameter the schemas that speak of it. */
  readonly properties: Map<string, unknown[]>
  readonly required: Set<string>
  /** What the branches of a choice ask for, one entry per branch. */
  readonly choices: string[][]
  /** It has branches. */
  readonly branched: boolean
}

/**
 * The parameters of an object with those of its allOf, anyOf and oneOf, which no provider takes at the top: what all branches
 * require is required. Undefined for what can be no object.
 */
export function flattenRoot(
  walk: Walk,
  given: unknown,
  depth = 0,
  references: readonly string[] = [],
): FlatObject | undefined {
  const flat = { properties: new Map<string, unknown[]>(), required: new Set<string>(), choices: [], branched: false }
  if (given === true || depth > MAX_DEPTH || --walk.left < 0) return flat
  if (!isRecord(given)) return undefined
  const followed = followReference(walk.root, given, references)
  const { schema } = followed
  const { types } = toTypeNames(schema.type)
  if (types.length > 0 && !types.includes('object')) return undefined
  return addBranches(walk, schema, toOwn(schema), depth, followed.references)
}

function toOwn(schema: Json): FlatObject {
  const own = isRecord(schema.properties) ? schema.properties : {}
  const properties = new Map(Object.entries(own).map(([name, property]) => [name, [property]]))
  return { properties, required: toRequired(schema, own), choices: [], branched: false }
}

function addBranches(
  walk: Walk,
  schema: Json,
  flat: FlatObject,
  depth: number,
  references: readonly string[],
): FlatObject | undefined {
  let branched = flat.branched
  const choices = [...flat.choices]
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const list = schema[keyword]
    if (!Array.isArray(list) || list.length === 0) continue
    branched = true
    const branches = list.slice(0, MAX_BRANCHES).map(branch => flattenRoot(walk, branch, depth + 1, references))
    const objects = branches.filter(branch => branch !== undefined)
    // A condition on something that is no object at all cannot be met by arguments.
    if (objects.length === 0 && flat.properties.size === 0 && schema.type === undefined) return undefined
    for (const { properties } of objects) for (const [name, forms] of properties) addForms(flat.properties, name, forms)
    for (const name of requiredBy(keyword, objects)) flat.required.add(name)
    choices.push(...objects.flatMap(branch => branch.choices))
    if (keyword !== 'allOf' && list.length <= MAX_BRANCHES)
      choices.push(...objects.map(({ required }) => [...required]))
  }
  return { ...flat, choices, branched }
}

function requiredBy(keyword: 'allOf' | 'anyOf' | 'oneOf', branches: readonly FlatObject[]): string[] {
  const [first, ...others] = branches
  if (first === undefined) return []
  if (keyword === 'allOf') return branches.flatMap(({ required }) => [...required])
  return [...first.required].filter(name => others.every(({ required }) => required.has(name)))
}

function addForms(properties: Map<string, unknown[]>, name: string, forms: readonly unknown[]): void {
  const known = properties.get(name)
  if (known) known.push(...forms)
  else properties.set(name, [...forms])
}
