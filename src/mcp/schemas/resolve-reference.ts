import { isRecord } from '../../cards/index.js'
import type { Json } from './shape.js'

const MAX_STEPS = 64

/** What a reference inside a document points to (`#`, `#/$defs/Name`); undefined if it is no such reference or leads nowhere. */
function resolveReference(root: Json, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined
  const steps = reference.slice(1).split('/').slice(1)
  if (steps.length > MAX_STEPS) return undefined
  let at: unknown = root
  for (const step of steps) {
    const key = toKey(step)
    if (key === undefined || typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Json)[key]
  }
  return at
}

/**
 * A schema with its reference replaced by what it points to, over which what stands beside it wins; `references` is what was
 * followed on the way here and now. Undefined target: it leads nowhere or in a circle, and only what stands beside it is left.
 */
export function followReference(
  root: Json,
  schema: Json,
  references: readonly string[],
): { schema: Json; references: readonly string[]; lost?: 'nowhere' | 'circle'; target?: Json } {
  if (!Object.hasOwn(schema, '$ref')) return { schema, references }
  const { $ref: reference, ...beside } = schema
  const target = resolveReference(root, reference)
  if (target === true) return { schema: beside, references }
  if (!isRecord(target)) return { schema: beside, references, lost: 'nowhere' }
  if (references.includes(reference as string)) return { schema: beside, references, lost: 'circle', target }
  return followReference(root, { ...target, ...beside }, [...references, reference as string])
}

function toKey(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
