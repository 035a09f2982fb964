import type { JsonSchema } from './types.js'

interface PropertyBase {
  required?: boolean
  description?: string
  /** Told to the model; never applied. */
  default?: unknown
}

interface StringProperty extends PropertyBase {
  type: 'string'
  enum?: readonly string[]
}

interface NumberProperty extends PropertyBase {
  type: 'number' | 'integer'
  enum?: readonly number[]
}

interface BooleanProperty extends PropertyBase {
  type: 'boolean'
}

interface ArrayProperty extends PropertyBase {
  type: 'array'
  /** Without it any items pass. */
  items?: PropertySpec
}

interface ObjectProperty extends PropertyBase {
  type: 'object'
  /** Without it any keys pass. */
  properties?: SchemaSpec
}

/** One parameter, as a tool's author writes it. */
export type PropertySpec = StringProperty | NumberProperty | BooleanProperty | ArrayProperty | ObjectProperty

/** The parameters of a tool by name. `required: true` stands on the parameter itself; keys beyond these are allowed. */
export interface SchemaSpec {
  readonly [name: string]: PropertySpec
}

type InferProperty<P> = P extends { enum: readonly (infer E)[] }
  ? E
  : P extends { type: 'string' }
    ? string
    : P extends { type: 'number' | 'integer' }
      ? number
      : P extends { type: 'boolean' }
        ? boolean
        : P extends { type: 'array' }
          ? P extends { items: infer I }
            ? InferProperty<I>[]
            : unknown[]
          : P extends { properties: infer O extends SchemaSpec }
            ? InferArgs<O>
            : Record<string, unknown>

type RequiredKeys<S> = { [K in keyof S]: S[K] extends { required: true } ? K : never }[keyof S]

type Flat<T> = { [K in keyof T]: T[K] }

/** The arguments that a {@link SchemaSpec} describes. A claim of the compiler; {@link validateArgs} is the check. */
export type InferArgs<S extends SchemaSpec> = Flat<
  { [K in RequiredKeys<S>]: InferProperty<S[K]> } & {
    [K in Exclude<keyof S, RequiredKeys<S>>]?: InferProperty<S[K]>
  }
>

/** The JSON Schema that a model is given for `spec`. */
export function schemaSpecToJsonSchema(spec: SchemaSpec): JsonSchema {
  const entries = Object.entries(spec)
  const required = entries.filter(([, property]) => property.required === true).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, property]) => [name, toPropertySchema(property)])),
    ...(required.length > 0 && { required }),
  }
}

function toPropertySchema(property: PropertySpec): JsonSchema {
  const { description } = property
  return {
    ...toTypeSchema(property),
    ...(description !== undefined && { description }),
    ...('default' in property && property.default !== undefined && { default: property.default }),
  }
}

function toTypeSchema(property: PropertySpec): JsonSchema {
  switch (property.type) {
    case 'object':
      return property.properties === undefined ? { type: 'object' } : schemaSpecToJsonSchema(property.properties)
    case 'array':
      return { type: 'array', ...(property.items !== undefined && { items: toPropertySchema(property.items) }) }
    case 'boolean':
      return { type: 'boolean' }
    default:
      return { type: property.type, ...(property.enum !== undefined && { enum: [...property.enum] }) }
  }
}
