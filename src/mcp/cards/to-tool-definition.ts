import { createHash } from 'node:crypto'
import { cutText, type JsonValue, oneLine } from '../../cards/index.js'
import type { ActiveExecution, ToolDefinition } from '../../registry/index.js'
import { createInsideRoots } from '../inside-roots.js'
import { checkRequired, type InputSchema, toInputSchema, toServerArguments } from '../schemas/index.js'
import { toFacts } from './call-card.js'
import type { McpFacts } from './facts.js'
import { MCP_FAMILY } from './present.js'
import { toBodyOutput, toToolOutput } from './to-tool-output.js'

const MAX_DESCRIPTION_CHARS = 8192

/** A tool as a server lists it; nothing of it is certain. */
export interface ListedTool {
  readonly name?: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly annotations?: unknown
  readonly execution?: unknown
  readonly _meta?: unknown
}

export interface ToolDefinitionOptions {
  /** The server's name in the config of the user or the editor. */
  readonly server: string
  /** What the server is, besides its name, see `toIdentity`. An always-answer counts for this alone. */
  readonly identity?: string
  /** The user's own config says so: what the server says of its tools may take a question away. */
  readonly trusted: boolean
  readonly tool: ListedTool
  /** What {@link toToolName} gave. */
  readonly name: string
  /** Asks the server. `args` have the server's own names. Resolves to the result as it came, rejects with a HarnessError. */
  readonly call: (args: Record<string, unknown>, exec: ActiveExecution) => Promise<unknown>
}

export type ConvertedTool =
  | { readonly definition: ToolDefinition; readonly repairs: readonly string[] }
  | { readonly leftOut: string }

/** A server's tool as one of ours, or why it has to be left out. Never throws. */
export function toToolDefinition(options: ToolDefinitionOptions): ConvertedTool {
  const { server, tool, name } = options
  if (isTaskOnly(tool.execution)) return { leftOut: 'it runs as a task only, and its server is called without tasks' }
  const input = toInputSchema(tool.inputSchema)
  if ('leftOut' in input) return input
  const facts = toFacts(server, tool, input.schema)
  const hints = toHints(tool.annotations)
  const isFree = options.trusted && hints.readOnly && !isOfChange(facts)
  return {
    repairs: input.repairs,
    definition: {
      name,
      description: toDescription(server, tool),
      parameters: input.schema,
      presentedBy: { family: MCP_FAMILY, facts: facts as unknown as JsonValue },
      providedBy: { label: `the MCP server ${facts.server}`, key: toKey(options), ...toClaim(hints) },
      validate: args => checkRequired(name, input, args),
      execute: (args, exec) => run(options, input, args, exec),
      ...(isFree ? { effects: () => ({}), isConcurrencySafe: () => true } : {}),
    },
  }
}

async function run(
  { call }: ToolDefinitionOptions,
  input: InputSchema,
  args: Record<string, unknown>,
  exec: ActiveExecution,
) {
  const result = await call(toServerArguments(input, args), exec)
  return toBodyOutput(toToolOutput(result, { isInside: createInsideRoots(exec.agent) }))
}

function toDescription(server: string, { description, title, name }: ListedTool): string {
  if (typeof description === 'string' && description.trim() !== '') return cutText(description, MAX_DESCRIPTION_CHARS)
  const shown = typeof title === 'string' && title.trim() !== '' ? title : String(name)
  return `${oneLine(shown, 200)} (a tool of the MCP server ${oneLine(server, 100)})`
}

function isTaskOnly(execution: unknown): boolean {
  return typeof execution === 'object' && execution !== null && 'taskSupport' in execution
    ? execution.taskSupport === 'required'
    : false
}

/** A card of a change, or of a command of the model's: whatever the hints say, such a call does not only read. */
function isOfChange({ kind, command }: McpFacts): boolean {
  return command !== undefined || kind === 'edit' || kind === 'delete' || kind === 'move'
}

interface Hints {
  readonly readOnly: boolean
  readonly destructive: boolean
}

function toHints(annotations: unknown): Hints {
  const given = (typeof annotations === 'object' && annotations !== null ? annotations : {}) as Record<string, unknown>
  // One of two hints that contradict each other is wrong: the one that takes a question away does not count.
  const destructive = given.destructiveHint === true
  return { readOnly: given.readOnlyHint === true && !destructive, destructive }
}

function toClaim({ readOnly, destructive }: Hints): { claim?: string } {
  if (readOnly) return { claim: 'that it only reads' }
  return destructive ? { claim: 'that it may destroy something' } : {}
}

/** A command line and an environment may hold keys: what is remembered, and written to a file, is their hash. */
function toKey({ server, identity = '' }: ToolDefinitionOptions): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([server, identity]))
    .digest('hex')
  return `mcp ${hash.slice(0, 32)}`
}
