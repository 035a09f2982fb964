import { isRecord, type JsonValue } from '../../cards/index.js'
import { type ConsoleTool, isString, type Parameter, toConsoleStrings, toParameters } from './parameters.js'

export const SHELL_FORM = '!command'
export const CALL_FORM = '/call NAME, then its arguments'

/** How to type a call of this tool: `/edit PATH + two fenced blocks`. Made from its schema and console strings alone. */
export function toForm(tool: ConsoleTool): string {
  const parameters = toParameters(tool)
  const strings = toConsoleStrings(tool)
  const required = parameters.filter(parameter => parameter.required)
  const others = required.filter(parameter => !strings.includes(parameter.name))
  if (others.some(parameter => !isScalar(parameter.schema))) {
    return `/${tool.name} ${JSON.stringify(Object.fromEntries(required.map(toExampleEntry)))}`
  }
  if (others.length > 0) return `/${tool.name} ${required.map(toWord).join(' ')}`
  const [first, ...blocks] = strings
  if (first === undefined) return parameters.length === 0 ? `/${tool.name}` : `/${tool.name} [name=value …]`
  const parameter = parameters.find(({ name }) => name === first)
  const word = parameter === undefined ? first.toUpperCase() : toPlaceholder(parameter)
  return `/${tool.name} ${needsArgument(tool) ? word : `[${word}]`}${toBlocks(blocks.length)}`
}

/** True if the tool cannot run without an argument. */
export function needsArgument(tool: ConsoleTool): boolean {
  return toParameters(tool).some(parameter => parameter.required)
}

function toBlocks(count: number): string {
  if (count === 0) return ''
  const number = ['', 'one', 'two', 'three', 'four'][count] ?? String(count)
  return ` + ${number} fenced ${count === 1 ? 'block' : 'blocks'}`
}

function toWord(parameter: Parameter): string {
  return `${parameter.name}=${toPlaceholder(parameter)}`
}

function toPlaceholder({ name, schema }: Parameter): string {
  const values: unknown[] = Array.isArray(schema.enum) ? schema.enum : []
  return values.length > 0 && values.length <= 6 ? values.map(String).join('|') : name.toUpperCase()
}

function isScalar(schema: Record<string, unknown>): boolean {
  const { type } = schema
  return isString(schema) || type === 'number' || type === 'integer' || type === 'boolean'
}

function toExampleEntry({ name, schema }: Parameter): [string, JsonValue] {
  return [name, toExample(schema, 0)]
}

/** A value of the schema's shape: required keys only, one item for an array; three levels suffice to show a form. */
function toExample(schema: Record<string, unknown>, depth: number): JsonValue {
  if (Array.isArray(schema.enum) && typeof schema.enum[0] === 'string') return schema.enum[0]
  if (isString(schema)) return '…'
  switch (schema.type) {
    case 'number':
    case 'integer':
      return 1
    case 'boolean':
      return true
    case 'array':
      return depth < 3 && isRecord(schema.items) ? [toExample(schema.items, depth + 1)] : []
    case 'object': {
      const properties = toParameters({ name: '', description: '', parameters: schema })
      const shown = depth < 3 ? properties.filter(property => property.required) : []
      return Object.fromEntries(shown.map(({ name, schema: inner }) => [name, toExample(inner, depth + 1)]))
    }
    default:
      return '…'
  }
}
