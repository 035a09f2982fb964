import { jsonBytes } from '../wire/serialized-size.js'
import { MAX_MESSAGE_BYTES } from '../wire/wire-limits.js'

/** Bytes of a message that is too large for the wire, else undefined. Only a message that may be is serialized. */
export function oversize(message: unknown): number | undefined {
  if (lengthWithin(message, MAX_MESSAGE_BYTES / 6) >= 0) return undefined
  const bytes = jsonBytes(message)
  return bytes >= MAX_MESSAGE_BYTES ? bytes : undefined
}

// What is left of the room for characters, below zero as soon as there is none; each takes up to six bytes.
function lengthWithin(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2
  if (typeof value !== 'object' || value === null) return room - 24
  let left = room - 2
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = lengthWithin(value[index], left - 1)
    return left
  }
  for (const key in value) {
    if (left < 0) break
    left = lengthWithin(value[key as keyof typeof value], left - key.length - 4)
  }
  return left
}
