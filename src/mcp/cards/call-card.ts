import { isRecord, isToolKind, type ToolKind } from '../../cards/index.js'
import type { ToolSchema } from '../../registry/index.js'
import { type McpFacts, parseFacts } from './facts.js'
import { CARD_KEY } from './result-card.js'
import type { ListedTool } from './to-tool-definition.js'

/** Names of parameters that say most of what a call is about, the best first. */
const TELLING = [
  'path',
  'file_path',
  'filePath',
  'file',
  'filename',
  'uri',
  'url',
  'query',
  'q',
  'command',
  'cmd',
  'name',
  'title',
  'id',
  'key',
  'message',
  'text',
  'prompt',
]

type Properties = Readonly<Record<string, unknown>>

/**
 * The facts of a listed tool. Its own `_meta["deckhand/card"]` comes first: `argument`, `paths`, `command` and `cwd` name
 * parameters, `kind` and `title` say what they are; what names no parameter is left out.
 */
export function toFacts(server: string, tool: ListedTool, schema: ToolSchema['parameters']): McpFacts {
  const asked = recordOf(recordOf(tool._meta)[CARD_KEY])
  const annotations = recordOf(tool.annotations)
  const properties = recordOf(schema.properties)
  const named = (value: unknown) => (typeof value === 'string' && Object.hasOwn(properties, value) ? value : undefined)
  const paths = Array.isArray(asked.paths) ? asked.paths.filter(path => named(path) !== undefined) : []
  const facts = parseFacts({
    server,
    title: textOf(asked.title) ?? textOf(tool.title) ?? textOf(annotations.title) ?? String(tool.name),
    kind: isToolKind(asked.kind) ? asked.kind : toKind(annotations),
    argument: named(asked.argument) ?? named(paths[0]) ?? toTelling(properties, schema.required),
    paths,
    command: named(asked.command),
    cwd: named(asked.cwd),
    windows: process.platform === 'win32',
  })
  return facts ?? { server, title: String(tool.name) }
}

/** Only for the icon: what a server says of its tools takes no question away. */
function toKind({ readOnlyHint, openWorldHint }: Properties): ToolKind | undefined {
  if (readOnlyHint !== true) return undefined
  return openWorldHint === true ? 'fetch' : 'read'
}

function toTelling(properties: Properties, required: unknown): string | undefined {
  const must = Array.isArray(required) ? required.map(String) : []
  const texts = Object.keys(properties).filter(name => recordOf(properties[name]).type === 'string')
  const known = TELLING.filter(name => texts.includes(name))
  return (
    known.find(name => must.includes(name)) ??
    must.find(name => texts.includes(name)) ??
    known[0] ??
    must.find(name => isScalar(recordOf(properties[name]).type))
  )
}

function isScalar(type: unknown): boolean {
  return type === 'integer' || type === 'number' || type === 'boolean'
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
