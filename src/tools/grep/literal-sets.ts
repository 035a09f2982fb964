const MAX_LITERALS = 32
const MAX_LITERAL_LENGTH = 200
const ENOUGH_LENGTH = 8

/** Whether it says anything that a text contains one of these. */
export function isUseful(literals: string[] | undefined): literals is string[] {
  return literals !== undefined && literals.length > 0 && literals.every(literal => literal !== '')
}

/** The set that fewer texts contain, by its shortest member and its size. */
export function betterOf(a: string[] | undefined, b: string[] | undefined): string[] | undefined {
  if (!isUseful(a)) return isUseful(b) ? b : undefined
  return isUseful(b) && scoreOf(b) > scoreOf(a) ? b : a
}

/** Members of all sets; undefined if one is not known, or they are too many. */
export function unionOf(sets: readonly (string[] | undefined)[]): string[] | undefined {
  const union = new Set<string>()
  for (const set of sets) {
    if (set === undefined) return undefined
    for (const literal of set) union.add(literal)
    if (union.size > MAX_LITERALS) return undefined
  }
  return [...union]
}

/** Each of the first followed by each of the second; undefined if that is too much. */
export function crossOf(first: readonly string[], second: readonly string[]): string[] | undefined {
  if (first.length * second.length > MAX_LITERALS) return undefined
  const cross = first.flatMap(start => second.map(end => start + end))
  return cross.every(literal => literal.length <= MAX_LITERAL_LENGTH) ? cross : undefined
}

function scoreOf(literals: readonly string[]): number {
  const shortest = Math.min(...literals.map(literal => literal.length))
  return Math.min(shortest, ENOUGH_LENGTH) - (literals.length - 1) / 4
}
