const CONDITIONS = new Set(['node', 'import', 'module-sync', 'default'])
const MAX_DEPTH = 20

/**
 * The file that `import` of a package gives, relative to its folder: `exports` with the conditions of an import in Node,
 * else `main`, else index.js. Undefined if `exports` offers nothing.
 */
export function packageEntry(manifest: { exports?: unknown; main?: unknown }): string | undefined {
  const { exports, main } = manifest
  if (exports === undefined || exports === null) return typeof main === 'string' && main !== '' ? main : 'index.js'
  const hasPaths = isObject(exports) && Object.keys(exports).some(key => key.startsWith('.'))
  return toTarget(hasPaths ? (exports as Record<string, unknown>)['.'] : exports, 0)
}

/** Conditions count in the order in which they stand; the first with a target wins. */
function toTarget(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.startsWith('./') ? value : undefined
  if (!isObject(value) || depth > MAX_DEPTH) return undefined
  const candidates = Array.isArray(value)
    ? value
    : Object.entries(value).flatMap(([condition, target]) => (CONDITIONS.has(condition) ? [target] : []))
  for (const candidate of candidates) {
    const target = toTarget(candidate, depth + 1)
    if (target !== undefined) return target
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
