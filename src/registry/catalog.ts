import type { JsonSchema, ToolSchema } from './types.js'

/** The tools as a Markdown page, by name: the same schemas give the same text. */
export function toolCatalog(schemas: readonly ToolSchema[]): string {
  const sorted = [...schemas].sort((a, b) => (a.name < b.name ? -1 : 1))
  const intro = 'Generated from the registered tools. `*` marks a required parameter.'
  return `${['# Tools', intro, ...sorted.map(toSection)].join('\n\n')}\n`
}

function toSection(schema: ToolSchema): string {
  const rows = toRows(schema.parameters, '')
  const parameters =
    rows === undefined
      ? ['```json', JSON.stringify(schema.parameters, undefined, 2), '```'].join('\n')
      : rows.length === 0
        ? 'No parameters.'
        : ['| parameter | type | |', '|---|---|---|', ...rows].join('\n')
  return [`## ${schema.name}`, schema.description.trim(), parameters].filter(part => part !== '').join('\n\n')
}

/** One row for each parameter, nested ones under their path; undefined if the schema is more than a list of properties. */
function toRows(schema: JsonSchema, prefix: string): string[] | undefined {
  const { properties, required } = schema
  if (schema.type !== 'object' || Object.keys(schema).some(key => !PLAIN_KEYS.has(key))) return undefined
  if (properties === undefined) return []
  if (!isSchema(properties)) return undefined
  const rows: string[] = []
  for (const [name, property] of Object.entries(properties)) {
    if (!isSchema(property)) return undefined
    const isRequired = Array.isArray(required) && required.includes(name)
    const path = `${prefix}${name}`
    rows.push(`| ${toCode(path)}${isRequired ? ' *' : ''} | ${toType(property)} | ${toNote(property)} |`)
    const nested = toNestedRows(property, path)
    if (nested === undefined) return undefined
    rows.push(...nested)
  }
  return rows
}

const PLAIN_KEYS = new Set(['type', 'properties', 'required', 'description', 'default', 'additionalProperties'])

function toNestedRows(property: JsonSchema, path: string): string[] | undefined {
  if (property.type === 'object') return toRows(property, `${path}.`)
  if (property.type !== 'array' || !isSchema(property.items)) return []
  return property.items.type === 'object' ? toRows(property.items, `${path}[].`) : []
}

function toType(property: JsonSchema): string {
  if (Array.isArray(property.enum)) return property.enum.map(value => toCode(JSON.stringify(value))).join(', ')
  const type = typeof property.type === 'string' ? property.type : 'any'
  return type === 'array' && isSchema(property.items) ? `array of ${toType(property.items)}` : type
}

function toNote(property: JsonSchema): string {
  const description = typeof property.description === 'string' ? toCell(property.description) : ''
  const preset = property.default === undefined ? '' : `Default ${toCode(JSON.stringify(property.default))}.`
  return [description, preset].filter(part => part !== '').join(' ')
}

function toCode(value: string): string {
  return `\`${toCell(value)}\``
}

function toCell(value: string): string {
  return value.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
