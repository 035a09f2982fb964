/** True for a non-null object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for undefined and for what `check` accepts. */
export function isOptional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value)
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

const MAX_ENTRIES = 10_000

/** True for an array of at most 10,000 entries, each accepted by `check`. */
export function isListOf(value: unknown, check: (value: unknown) => boolean): boolean {
  if (!Array.isArray(value) || value.length > MAX_ENTRIES) return false
  // Not every(): it skips the holes of a sparse array.
  for (const entry of value) if (!check(entry)) return false
  return true
}

const MAX_VALUES = 100_000
const MAX_DEPTH = 100

/** True if JSON can carry `value` as it is: bounded in size and depth, so a cycle is refused too. Undefined keys count as absent. */
export function isPlainData(value: unknown): boolean {
  let left = MAX_VALUES
  const check = (item: unknown, depth: number): boolean => {
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return true
    if (typeof item === 'number') return Number.isFinite(item)
    if (typeof item !== 'object' || depth > MAX_DEPTH) return false
    for (const inner of Object.values(item)) {
      if (--left < 0 || (inner !== undefined && !check(inner, depth + 1))) return false
    }
    return true
  }
  return check(value, 0)
}
