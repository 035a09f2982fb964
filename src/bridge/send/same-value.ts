/** Structural equality of JSON values; identical objects cost nothing. */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every(
    key => Object.hasOwn(right, key) && isSameValue(left[key as keyof typeof left], right[key as keyof typeof right]),
  )
}
