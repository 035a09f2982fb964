import { ToolArgsError } from '../../registry/index.js'
import type { InputSchema } from './to-input-schema.js'

type Arguments = Readonly<Record<string, unknown>>

/**
 * Throws ToolArgsError if a required parameter is missing. Whether values fit is the server's to say: many accept more than
 * their schema does.
 */
export function checkRequired(tool: string, { schema }: InputSchema, args: Arguments): void {
  const required = requiredOf(schema)
  const missing = required.filter(name => !Object.hasOwn(args, name) || args[name] === undefined)
  if (missing.length === 0) return
  const given = Object.keys(args).slice(0, 8).join(', ')
  const violations = missing.slice(0, 20).map(name => `${name}: expected a value, got nothing`)
  throw new ToolArgsError(tool, given === '' ? violations : [...violations, `given were: ${given}`])
}

/** The arguments as the server knows them: its own names, and without an optional null that only means "not given". */
export function toServerArguments(
  { schema, original, nullable }: InputSchema,
  args: Arguments,
): Record<string, unknown> {
  const required = new Set(requiredOf(schema))
  const properties = schema.properties as Record<string, unknown>
  const isKept = ([name, value]: [string, unknown]) =>
    value !== null || required.has(name) || nullable.has(name) || !Object.hasOwn(properties, name)
  return Object.fromEntries(
    Object.entries(args)
      .filter(isKept)
      .map(([name, value]) => [original.get(name) ?? name, value]),
  )
}

function requiredOf({ required }: InputSchema['schema']): string[] {
  return Array.isArray(required) ? required.map(String) : []
}
