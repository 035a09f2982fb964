import { HarnessError } from '../cards/index.js'

/**
 * A plugin's settings after its own schema, which is recognised by what it can do: the standard interface of schemas
 * (`~standard`), a `parse` method, or a function that returns the settings. Without a schema they are passed as they are.
 * Throws PLUGIN_FAILED.
 */
export async function checkConfig(schema: unknown, given: unknown): Promise<unknown> {
  if (schema === undefined || schema === null) return given
  try {
    return await parse(schema, given)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new HarnessError('PLUGIN_FAILED', `its config does not fit: ${message}`, { cause })
  }
}

async function parse(schema: object, given: unknown): Promise<unknown> {
  const { '~standard': standard, parse: parseMethod } = schema as { '~standard'?: unknown; parse?: unknown }
  const validate = (standard as { validate?: unknown } | undefined)?.validate
  if (typeof validate === 'function') {
    const result = (await validate(given)) as { value?: unknown; issues?: readonly Issue[] }
    if (result.issues) throw new Error(result.issues.map(describe).join('; '))
    return result.value
  }
  if (typeof parseMethod === 'function') return parseMethod.call(schema, given)
  if (typeof schema === 'function') return schema(given)
  throw new Error('its "Config" is no schema that is known')
}

interface Issue {
  message: string
  path?: readonly (PropertyKey | { key: PropertyKey })[]
}

function describe({ message, path = [] }: Issue): string {
  const keys = path.map(key => String(typeof key === 'object' ? key.key : key))
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`
}
