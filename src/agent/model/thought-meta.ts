import type { JsonValue } from '../../cards/index.js'

interface ThoughtMeta {
  /** For the provider, unchanged: a signature, redacted data. */
  options?: JsonValue
}

/** What is kept with a thought or a call: whose it is, and what its provider wants back with it. */
export function toThoughtMeta(modelId: string, options: JsonValue | undefined): JsonValue {
  return { model: modelId, ...(options === undefined ? {} : { options }) }
}

/** What goes back with it to this model; undefined if it is another's, or was cut off: no model takes that. */
export function thoughtFor(meta: JsonValue | undefined, modelId: string): ThoughtMeta | undefined {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta) || meta.model !== modelId) return undefined
  return meta.options === undefined ? {} : { options: meta.options }
}
