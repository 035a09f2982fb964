/** A JSON object of any content. */
export type Json = { [key: string]: unknown }

/** True for the JSON of a value of at most `max` parts (keys, items and every 64 characters of a text), however deep it is. */
export function isSmall(value: unknown, max: number): boolean {
  return countParts(value, max) <= max
}

/** How many parts a JSON value has; past `max` the count stops. Looks without recursion: a schema can be 10,000 levels deep. */
export function countParts(value: unknown, max: number): number {
  const open: unknown[] = [value]
  let count = 0
  while (open.length > 0 && count <= max) {
    const next = open.pop()
    count += typeof next === 'string' ? 1 + Math.floor(next.length / 64) : 1
    if (typeof next !== 'object' || next === null) continue
    for (const part of Object.values(next)) {
      open.push(part)
      if (open.length > max) return max + 1
    }
  }
  return count
}
