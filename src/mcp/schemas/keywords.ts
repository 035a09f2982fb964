import { cutText } from '../../cards/index.js'
import { isSmall, type Json } from './shape.js'
import type { TypeName } from './type-names.js'

const MAX_DESCRIPTION_CHARS = 2048
const MAX_TITLE_CHARS = 100
const MAX_PATTERN_CHARS = 512
const MAX_VALUE_PARTS = 64

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)

/** The plain keywords that providers take, with what their values must be; others say nothing that a model needs. */
const BY_TYPE: Readonly<Partial<Record<TypeName, Readonly<Record<string, (value: unknown) => boolean>>>>> = {
  string: {
    minLength: isCount,
    maxLength: isCount,
    pattern: isPattern,
    format: value => typeof value === 'string' && /^[a-z][a-z0-9-]{0,40}$/.test(value),
  },
  number: {
    minimum: isNumber,
    maximum: isNumber,
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    multipleOf: value => isNumber(value) && (value as number) > 0,
  },
  array: { minItems: isCount, maxItems: isCount, uniqueItems: value => typeof value === 'boolean' },
  object: { minProperties: isCount, maxProperties: isCount },
}

/** The plain keywords of a schema that bound values of this type; the names of those that say nothing valid go to `drop`. */
export function copyBounds(schema: Json, type: TypeName, drop: (keyword: string) => void): Json {
  const checks = BY_TYPE[type === 'integer' ? 'number' : type] ?? {}
  const bounds: Json = {}
  for (const [keyword, check] of Object.entries(checks)) {
    const value = schema[keyword]
    if (value === undefined) continue
    if (check(value)) bounds[keyword] = value
    else if (typeof value !== 'boolean') drop(keyword)
  }
  if (type === 'number' || type === 'integer') fixExclusive(schema, bounds)
  return bounds
}

/** What a schema tells a reader: description, title, default, examples. */
export function copyNotes(schema: Json): Json {
  const { description, title, default: preset, examples } = schema
  return {
    ...(typeof description === 'string' && description.trim() !== ''
      ? { description: cutText(description, MAX_DESCRIPTION_CHARS) }
      : typeof title === 'string' && title.trim() !== ''
        ? { description: cutText(title, MAX_TITLE_CHARS) }
        : {}),
    ...(preset !== undefined && preset !== null && isSmall(preset, MAX_VALUE_PARTS) ? { default: preset } : {}),
    ...(Array.isArray(examples) && examples.length > 0 && isSmall(examples, MAX_VALUE_PARTS) ? { examples } : {}),
  }
}

/** Drafts before the sixth said by `true` that the bound beside it is exclusive. */
function fixExclusive(schema: Json, bounds: Json): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[exclusive] !== true || bounds[bound] === undefined) continue
    bounds[exclusive] = bounds[bound]
    delete bounds[bound]
  }
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_PATTERN_CHARS) return false
  try {
    return new RegExp(value, 'u').source !== ''
  } catch {
    return false
  }
}
