import { HarnessError } from '../cards/index.js'
import { deepFreeze } from './deep-freeze.js'
import { shorten } from './describe-value.js'
import type { ToolEntry } from './tool-table.js'
import type { PresentedBy, ToolDefinition, ToolSchema } from './types.js'

const MAX_NAME_LENGTH = 128
const MAX_PRESENTED_BY_BYTES = 8 * 1024

const OPTIONAL_METHODS = [
  'validate',
  'presentCall',
  'presentPartial',
  'presentResult',
  'effects',
  'isConcurrencySafe',
] as const satisfies (keyof ToolDefinition)[]

/** A definition with what the registry reads of it. Throws INVALID_TOOL if the registry could not work with it. */
export function toToolEntry(definition: ToolDefinition): ToolEntry {
  const schema = toToolSchema(definition)
  const presentedBy = copyPresentedBy(`Tool ${shorten(schema.name, 40)}`, definition.presentedBy)
  return { definition, schema, ...(presentedBy && { presentedBy }) }
}

/** Odd JSON Schemas are kept as they are (B77): only what cannot be sent at all is refused. */
function toToolSchema(definition: ToolDefinition): ToolSchema {
  const given: { [K in keyof ToolDefinition]?: unknown } | null | undefined = definition
  if (typeof given !== 'object' || given === null) throw invalid('A tool definition must be an object.')
  const { name, description, parameters, consoleStrings } = given
  // The name stands in the model's calls and in console lines, so it is one word.
  if (typeof name !== 'string' || !/^[^\s\p{Cc}]+$/u.test(name) || name.length > MAX_NAME_LENGTH) {
    throw invalid(`A tool's name must be one word of at most ${MAX_NAME_LENGTH} characters.`)
  }
  const tool = `Tool ${shorten(name, 40)}`
  if (typeof description !== 'string') throw invalid(`${tool}: the description must be a string.`)
  if (typeof given.execute !== 'function') throw invalid(`${tool}: execute must be a function.`)
  for (const method of OPTIONAL_METHODS) {
    if (given[method] !== undefined && typeof given[method] !== 'function') {
      throw invalid(`${tool}: ${method} must be a function.`)
    }
  }
  if (consoleStrings !== undefined && !isStrings(consoleStrings)) {
    throw invalid(`${tool}: consoleStrings must be an array of parameter names.`)
  }
  if (given.providedBy !== undefined && !isProvidedBy(given.providedBy)) {
    throw invalid(`${tool}: providedBy must have a label and a key.`)
  }
  return deepFreeze({ name, description, parameters: copyParameters(tool, parameters) })
}

function copyParameters(tool: string, parameters: unknown): ToolSchema['parameters'] {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw invalid(`${tool}: the parameters must be a JSON Schema object.`)
  }
  try {
    return JSON.parse(JSON.stringify(parameters))
  } catch (cause) {
    throw invalid(`${tool}: the parameters cannot be written as JSON.`, cause)
  }
}

/** A copy, since it is logged with each call: it must be small, and stay what it was. */
function copyPresentedBy(tool: string, presentedBy: unknown): PresentedBy | undefined {
  if (presentedBy === undefined) return undefined
  const { family, facts } = Object(presentedBy) as Record<string, unknown>
  if (typeof family !== 'string' || facts === undefined) {
    throw invalid(`${tool}: presentedBy must have a family and facts.`)
  }
  let json: string
  try {
    json = JSON.stringify({ family, facts })
  } catch (cause) {
    throw invalid(`${tool}: presentedBy cannot be written as JSON.`, cause)
  }
  if (Buffer.byteLength(json) > MAX_PRESENTED_BY_BYTES) {
    throw invalid(`${tool}: presentedBy is longer than ${MAX_PRESENTED_BY_BYTES} bytes.`)
  }
  return deepFreeze(JSON.parse(json) as PresentedBy)
}

function isProvidedBy(value: unknown): boolean {
  const { label, key, claim } = Object(value) as Record<string, unknown>
  return [label, key, claim ?? ''].every(part => typeof part === 'string')
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}

function invalid(message: string, cause?: unknown): HarnessError {
  return new HarnessError('INVALID_TOOL', message, { cause })
}
