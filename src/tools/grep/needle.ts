/** Finds the literals, in any case if the pattern ignores it; undefined without literals. */
export function toNeedle(literals: readonly string[] | undefined, ignoreCase: boolean): RegExp | undefined {
  const escaped = literals?.map(literal => literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return escaped && new RegExp(escaped.join('|'), ignoreCase ? 'iu' : 'u')
}
