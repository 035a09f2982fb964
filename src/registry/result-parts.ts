import { type ContentBlock, isContentBlock, type JsonValue } from '../cards/index.js'
import { copyJson } from './copy-json.js'
import { deepFreeze } from './deep-freeze.js'

/** A frozen copy of a list of content blocks; undefined if it is none. */
export function checkContent(content: unknown): ContentBlock[] | undefined {
  if (!Array.isArray(content) || !content.every(isContentBlock)) return undefined
  // One level of copies leaves strings shared; only an embedded resource holds an object.
  return deepFreeze(
    content.map(block => (block.type === 'resource' ? { ...block, resource: { ...block.resource } } : { ...block })),
  )
}

/** A frozen copy of `meta` as a log would give it back; undefined if it cannot be written as JSON. */
export function copyMeta(meta: unknown): JsonValue | undefined {
  try {
    return deepFreeze(copyJson(meta)) as JsonValue | undefined
  } catch {
    return undefined
  }
}
