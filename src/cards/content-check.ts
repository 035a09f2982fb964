import type { ContentBlock } from './content.js'
import { isOptional, isRecord, isString } from './shape.js'

type Check = (block: Record<string, unknown>) => boolean

const CHECKS: Record<ContentBlock['type'], Check> = {
  text: block => isString(block.text),
  image: block => isString(block.data) && isString(block.mimeType) && isOptional(block.uri, isString),
  audio: block => isString(block.data) && isString(block.mimeType),
  resource: block => isRecord(block.resource) && isEmbeddedResource(block.resource),
  resource_link: block =>
    isString(block.uri) &&
    isString(block.name) &&
    isOptional(block.title, isString) &&
    isOptional(block.description, isString) &&
    isOptional(block.mimeType, isString) &&
    isOptional(block.size, isSize),
}

/** True if `value` has the shape of a content block. Unknown keys are allowed, unknown types are not. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isRecord(value) || !isString(value.type) || !Object.hasOwn(CHECKS, value.type)) return false
  return CHECKS[value.type as ContentBlock['type']](value)
}

function isEmbeddedResource(resource: Record<string, unknown>): boolean {
  const { uri, mimeType, text, blob } = resource
  return isString(uri) && isOptional(mimeType, isString) && (blob === undefined ? isString(text) : isString(blob))
}

function isSize(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
