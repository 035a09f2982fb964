/**
 * What writing `value` as JSON and reading it back gives, undefined if it gives nothing; strings are shared, not copied, so
 * that the size of a file's text does not count. Throws for what JSON cannot hold: cycles, bigints, endless depth.
 */
export function copyJson(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value + 0 : null
    case 'object':
      return value === null ? null : copyObject(value)
    default:
      return throughText(value)
  }
}

function copyObject(value: object): unknown {
  const isArray = Array.isArray(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = isArray || prototype === Object.prototype || prototype === null
  if (!isPlain || 'toJSON' in value) return throughText(value)
  if (isArray) return Array.from(value, item => copyJson(item) ?? null)
  const entries: [string, unknown][] = []
  for (const [key, item] of Object.entries(value)) {
    const copy = copyJson(item)
    if (copy !== undefined) entries.push([key, copy])
  }
  return Object.fromEntries(entries)
}

function throughText(value: unknown): unknown {
  const json: string | undefined = JSON.stringify(value)
  return json === undefined ? undefined : JSON.parse(json)
}
