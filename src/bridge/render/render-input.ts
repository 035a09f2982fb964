import { formatBytes } from '../../cards/index.js'
import { headSerialized, jsonBytes, serializedBytes } from '../wire/serialized-size.js'
import { MAX_COMMAND_BYTES, MAX_INPUT_STRING_BYTES } from '../wire/wire-limits.js'

const MAX_INPUT_BYTES = 5 * MAX_INPUT_STRING_BYTES
// A permission request holds a command twice, in one message.
const MAX_COMMAND_SERIALIZED_BYTES = 448 * 1024
const MAX_DEPTH = 32
const NOTE_BYTES = 64

/** True for a command that must be refused, since it cannot be shown whole. */
export function isCommandTooLarge(command: string): boolean {
  if (command.length * 3 <= MAX_COMMAND_BYTES && command.length * 6 <= MAX_COMMAND_SERIALIZED_BYTES) return false
  return Buffer.byteLength(command) > MAX_COMMAND_BYTES || serializedBytes(command) > MAX_COMMAND_SERIALIZED_BYTES
}

/** rawInput of a terminal card: the command is never cut unless it is one that is refused. */
export function toCommandInput(command: string, description: string | undefined, cwd: string | undefined) {
  return {
    command: isCommandTooLarge(command) ? cutString(command, MAX_INPUT_STRING_BYTES) : command,
    ...(description ? { description: cutString(description, MAX_INPUT_STRING_BYTES) } : {}),
    ...(cwd ? { cwd } : {}),
  }
}

/** A value as rawInput: what JSON can hold, long strings cut with their length, bounded in all. */
export function toWireInput(value: unknown): unknown {
  const json = toJson(value)
  if (json !== undefined && json.length * 3 <= MAX_INPUT_STRING_BYTES) return value
  for (const limit of [MAX_INPUT_STRING_BYTES, 4096, 256]) {
    const cut = cutStrings(value, limit, 0)
    if (jsonBytes(cut) <= MAX_INPUT_BYTES) return cut
  }
  return cutString(toJson(cutStrings(value, 256, 0)) ?? '', MAX_INPUT_STRING_BYTES)
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return undefined
  }
}

// JSON can be nested deeper than it can be written: past the limit nothing is shown.
function cutStrings(value: unknown, limit: number, depth: number): unknown {
  if (typeof value === 'string') return cutString(value, limit)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[…]'
  if (Array.isArray(value)) return value.map(item => cutStrings(item, limit, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutStrings(item, limit, depth + 1)]))
}

function cutString(text: string, limit: number): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= limit) return text
  return `${headSerialized(text, limit - NOTE_BYTES)}… [cut, ${formatBytes(bytes)} in all]`
}
