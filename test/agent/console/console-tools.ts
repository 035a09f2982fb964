import type { Grammar } from '../../../src/agent/index.js'
import { type SchemaSpec, schemaSpecToJsonSchema, type ToolDefinition } from '../../../src/registry/index.js'

function tool(name: string, parameters: SchemaSpec, consoleStrings?: readonly string[]): ToolDefinition {
  return {
    name,
    description: `About ${name}. And more.`,
    parameters: schemaSpecToJsonSchema(parameters),
    execute: async () => [],
    ...(consoleStrings ? { consoleStrings } : {}),
  }
}

const string = { type: 'string' } as const
const needed = { type: 'string', required: true } as const

/** Tools of the shapes that the console tells apart. */
export const consoleTools: ToolDefinition[] = [
  tool('shell', { command: needed, timeout_ms: { type: 'integer' }, background: { type: 'boolean' } }),
  tool('read', { path: needed, offset: { type: 'integer' } }),
  tool('write', { path: needed, content: needed }),
  tool('edit', { path: needed, old_string: string, new_string: string, replace_all: { type: 'boolean' } }, [
    'path',
    'old_string',
    'new_string',
  ]),
  tool('job', { action: { type: 'string', enum: ['list', 'kill'], required: true }, id: string }),
  tool('todo', {
    entries: {
      type: 'array',
      required: true,
      items: { type: 'object', properties: { content: needed, status: { ...needed, enum: ['pending', 'completed'] } } },
    },
  }),
  tool('search', { query: needed, limit: { type: 'integer', required: true } }),
  tool('ping', {}),
  tool('status', { verbose: { type: 'boolean' } }),
]

/** The console's grammar over these tools. */
export const grammar: Grammar = {
  lineTool: find,
  calledTool: find,
  commandTool: 'shell',
  sessionCommands: new Set(['help', 'tools']),
}

/** The grammar of a driver with a model: tool lines are text. */
export const modelGrammar: Grammar = { ...grammar, lineTool: () => undefined }

function find(name: string): ToolDefinition | undefined {
  return consoleTools.find(known => known.name === name)
}
