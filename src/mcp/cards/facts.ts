import { isToolKind, type JsonValue, oneLine, type ToolKind } from '../../cards/index.js'

/**
 * What the cards of a server's tool are made from, besides arguments and results. Logged with each call, so that a session is
 * shown again as it was before any server runs.
 */
export type McpFacts = {
  /** Plain names, one line each. */
  server: string
  title: string
  kind?: ToolKind
  /** The parameter whose value stands in the title. */
  argument?: string
  /** Parameters that hold the paths of files on this machine. */
  paths?: string[]
  /** The parameter that holds a command line: the card is then a terminal. */
  command?: string
  /** The parameter that holds the directory of the command. */
  cwd?: string
  /** Paths are those of Windows. */
  windows?: boolean
}

const MAX_SERVER_CHARS = 60
const MAX_TITLE_CHARS = 100
const MAX_PARAMETER_CHARS = 64
const MAX_PATHS = 8

/** The facts in `value`, each within its bounds; what is none is left out. Undefined if server or title are missing. */
export function parseFacts(value: JsonValue | unknown): McpFacts | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const given = value as Record<string, unknown>
  if (typeof given.server !== 'string' || typeof given.title !== 'string') return undefined
  const paths = Array.isArray(given.paths) ? given.paths.slice(0, MAX_PATHS).map(toParameter) : []
  const known = paths.filter(path => path !== undefined)
  return {
    server: oneLine(given.server, MAX_SERVER_CHARS) || 'MCP server',
    title: oneLine(given.title, MAX_TITLE_CHARS) || 'tool',
    ...(isToolKind(given.kind) ? { kind: given.kind } : {}),
    ...optional('argument', toParameter(given.argument)),
    ...(known.length > 0 ? { paths: known } : {}),
    ...optional('command', toParameter(given.command)),
    ...optional('cwd', toParameter(given.cwd)),
    ...(given.windows === true ? { windows: true } : {}),
  }
}

function toParameter(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_PARAMETER_CHARS ? value : undefined
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: string })
}
