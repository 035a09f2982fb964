import { isRecord, type JsonValue } from '../../cards/index.js'
import type { ToolDefinition } from '../../registry/types.js'

/** What the console needs to know of a tool; a registry's definition fits. */
export type ConsoleTool = Pick<ToolDefinition, 'name' | 'description' | 'parameters' | 'consoleStrings' | 'modelOnly'>

/** One parameter as its JSON Schema has it, read leniently: a foreign schema may hold anything. */
export interface Parameter {
  name: string
  required: boolean
  schema: Record<string, unknown>
}

/** A tool's parameters in the order of its schema. */
export function toParameters(tool: ConsoleTool): Parameter[] {
  const { properties, required } = tool.parameters
  const names: unknown[] = Array.isArray(required) ? required : []
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    required: names.includes(name),
    schema: isRecord(schema) ? schema : {},
  }))
}

/** The parameters that the rest of a line and the fenced blocks after it fill, in order. */
export function toConsoleStrings(tool: ConsoleTool): readonly string[] {
  if (tool.consoleStrings !== undefined) return tool.consoleStrings
  return toParameters(tool)
    .filter(parameter => parameter.required && isString(parameter.schema))
    .map(parameter => parameter.name)
}

/** True if a word stands for itself as a value of this schema; any other schema takes JSON. */
export function isString(schema: Record<string, unknown>): boolean {
  const { type } = schema
  if (type === undefined) return Array.isArray(schema.enum) && schema.enum.every(value => typeof value === 'string')
  return Array.isArray(type) ? type.includes('string') : type === 'string'
}

/** The value that `name=word` gives. A word that is no JSON goes on as text, for the tool's own check to judge. */
export function toParameterValue(schema: Record<string, unknown>, word: string): JsonValue {
  if (isString(schema)) return word
  try {
    return JSON.parse(word) as JsonValue
  } catch {
    return word
  }
}
