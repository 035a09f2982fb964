const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const

export type TypeName = (typeof TYPES)[number]

/** What other languages call them, in lower case. */
const OTHER_NAMES: Readonly<Record<string, TypeName>> = {
  str: 'string',
  text: 'string',
  date: 'string',
  datetime: 'string',
  uuid: 'string',
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  dict: 'object',
  map: 'object',
  record: 'object',
  list: 'array',
  tuple: 'array',
  set: 'array',
  none: 'null',
  undefined: 'null',
}

/** The types that a schema's `type` names, each once; `wrong` are names that are none. */
export function toTypeNames(type: unknown): { types: TypeName[]; wrong: boolean } {
  const names = type === undefined ? [] : Array.isArray(type) ? type.slice(0, 16) : [type]
  const types = names.map(toTypeName)
  const known = [...new Set(types.filter(name => name !== undefined))]
  return { types: known, wrong: names.some((name, index) => name !== types[index]) }
}

/** The type of a JSON value, `integer` for whole numbers. */
export function typeOf(value: unknown): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value as 'string' | 'boolean'
  return 'object'
}

function toTypeName(name: unknown): TypeName | undefined {
  if (typeof name !== 'string') return undefined
  const known = TYPES.find(type => type === name.toLowerCase())
  if (known !== undefined) return known
  return Object.hasOwn(OTHER_NAMES, name.toLowerCase()) ? OTHER_NAMES[name.toLowerCase()] : undefined
}
