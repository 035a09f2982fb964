import { HarnessError } from '../cards/index.js'
import { isThenable } from './contain.js'
import { copyJson } from './copy-json.js'
import { deepFreeze } from './deep-freeze.js'
import { describeValue } from './describe-value.js'
import type { ToolDefinition } from './types.js'

/**
 * The arguments of a call as a deeply frozen JSON object. `raw` is JSON text or a value; no text and null mean `{}`.
 * Throws INVALID_ARGS for anything else that is not an object (B80).
 */
export function parseArguments(raw: unknown): Readonly<Record<string, unknown>> {
  if (isParsed(raw)) return raw
  const before = typeof raw === 'string' ? recent.get(raw) : undefined
  if (before !== undefined) return before
  const value = typeof raw === 'string' ? parseText(raw) : copyValue(raw)
  if (value === undefined || value === null) return Object.freeze({})
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new HarnessError('INVALID_ARGS', `The arguments must be a JSON object, got ${describeValue(value)}.`)
  }
  const args = deepFreeze(value as Record<string, unknown>)
  parsed.add(args)
  if (typeof raw === 'string' && raw.length <= MAX_RECENT_LENGTH) keepRecent(raw, args)
  return args
}

/** What came from here before: listeners and presenters ask about the arguments of one call many times. */
const parsed = new WeakSet<object>()
const recent = new Map<string, Readonly<Record<string, unknown>>>()
const MAX_RECENT = 8
const MAX_RECENT_LENGTH = 256 * 1024

function keepRecent(text: string, args: Readonly<Record<string, unknown>>): void {
  recent.set(text, args)
  for (const oldest of recent.keys()) {
    if (recent.size <= MAX_RECENT) return
    recent.delete(oldest)
  }
}

/** True for arguments as {@link parseArguments} gives them: nobody can change them. */
export function isParsed(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && parsed.has(raw)
}

function parseText(raw: string): unknown {
  if (raw.trim() === '') return undefined
  try {
    return JSON.parse(raw)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HarnessError('INVALID_ARGS', `The arguments are not valid JSON: ${reason}`, { cause })
  }
}

/** As JSON, so that a tool sees the same live as when the logged call is shown again. */
function copyValue(raw: unknown): unknown {
  try {
    const value = copyJson(raw)
    if (value !== undefined || raw === undefined) return value
  } catch (cause) {
    throw new HarnessError('INVALID_ARGS', 'The arguments cannot be written as JSON.', { cause })
  }
  throw new HarnessError('INVALID_ARGS', `The arguments must be a JSON object, got ${describeValue(raw)}.`)
}

/** Runs the tool's own check, which throws ToolArgsError. A check that answers later would let the call through: refused. */
export function checkArguments(
  definition: Pick<ToolDefinition, 'validate'>,
  args: Readonly<Record<string, unknown>>,
): void {
  const answer: unknown = definition.validate?.(args)
  if (!isThenable(answer)) return
  Promise.resolve(answer).catch(() => {})
  throw new HarnessError('INVALID_TOOL', 'The tool checks its arguments asynchronously.')
}
