import { isRecord } from '../cards/index.js'
import { type PropertySpec, type SchemaSpec, validateArgs } from '../registry/index.js'
import { show } from './show.js'

export interface Mutation {
  /** What was done to the arguments. */
  label: string
  args: Record<string, unknown>
}

type Path = readonly (string | number)[]

/** Variants of `args` that the spec does not allow: a required key left out, a wrong type, a value outside its enum. */
export function brokenArguments(spec: SchemaSpec, args: Record<string, unknown>): Mutation[] {
  return ofObject(spec, args, []).flatMap(({ path, value, label }) => {
    const changed = withValue(args, path, value)
    return validateArgs(spec, changed).length === 0 ? [] : [{ label, args: changed }]
  })
}

/** Variants that the spec allows: without each optional key, and with a key it does not know. */
export function allowedArguments(spec: SchemaSpec, args: Record<string, unknown>): Mutation[] {
  const without = Object.entries(spec).flatMap(([name, property]) =>
    property.required === true || !Object.hasOwn(args, name)
      ? []
      : [{ label: `without ${name}, which is optional`, args: withValue(args, [name], undefined) }],
  )
  return [...without, { label: 'with a key it does not know', args: { ...args, key_of_a_model: true } }]
}

interface Change {
  path: Path
  value: unknown
  label: string
}

function ofObject(spec: SchemaSpec, value: Record<string, unknown>, at: Path): Change[] {
  return Object.entries(spec).flatMap(([name, property]) => {
    const path = [...at, name]
    const left: Change[] =
      property.required === true ? [{ path, value: undefined, label: `without ${toText(path)}` }] : []
    return [...left, ...ofValue(property, value[name], path)]
  })
}

function ofValue(property: PropertySpec, value: unknown, path: Path): Change[] {
  const wrong = wrongValues(property).map(other => ({
    path,
    value: other,
    label: `with ${toText(path)}: ${show(other)}`,
  }))
  if (property.type === 'object' && property.properties && isRecord(value)) {
    return [...wrong, ...ofObject(property.properties, value, path)]
  }
  if (property.type === 'array' && property.items && Array.isArray(value) && value.length > 0) {
    return [...wrong, ...ofValue(property.items, value[0], [...path, 0])]
  }
  return wrong
}

function wrongValues(property: PropertySpec): unknown[] {
  const beyond = 'enum' in property && property.enum !== undefined
  switch (property.type) {
    case 'string':
      return beyond ? [5, 'none of these'] : [5]
    case 'integer':
      return ['five', 1.5]
    case 'number':
      return ['five']
    case 'boolean':
      return ['yes']
    case 'array':
      return ['none', { 0: 'none' }]
    case 'object':
      return ['none', ['none']]
  }
}

function withValue(value: unknown, path: Path, other: unknown): Record<string, unknown> {
  const copy = structuredClone(value) as Record<string | number, unknown>
  let inner = copy
  for (const step of path.slice(0, -1)) inner = inner[step] as typeof inner
  const last = path.at(-1) ?? ''
  if (other === undefined) delete inner[last]
  else inner[last] = other
  return copy
}

function toText(path: Path): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
}
