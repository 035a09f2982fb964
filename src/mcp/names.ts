import { createHash } from 'node:crypto'

/** What providers take as the name of a tool: 64 of `[A-Za-z0-9_-]`. */
const MAX_NAME_LENGTH = 64
const MAX_SERVER_LENGTH = 24
const PREFIX = 'mcp__'
const SEPARATOR = '__'
/** The end of a name that was changed; a name that has such an end by itself is changed too, so that the two never meet. */
const HASHED = /-[0-9a-f]{8}$/

/**
 * The name under which a model calls a server's tool: `mcp__server__tool`, within what providers take. It depends on the two
 * names alone, never on what else runs, and two pairs have two names; a name that had to be changed ends in a hash of both.
 * Only for a name that a tool of no server has taken there is a second choice. Undefined if that is taken as well.
 */
export function toToolName(server: string, tool: string, taken: { has(name: string): boolean }): string | undefined {
  const place = `${PREFIX}${toServerPart(server)}${SEPARATOR}`
  const room = MAX_NAME_LENGTH - place.length
  const changed = () => `${place}${withHash(tool.replace(/[^A-Za-z0-9_-]/g, '_'), room, [server, tool])}`
  const first = isToolPart(tool, room) ? `${place}${tool}` : changed()
  if (!taken.has(first)) return first
  const second = changed()
  return taken.has(second) ? undefined : second
}

/** Without a double underscore, and with none at its end: the first one of the whole name ends it. */
function toServerPart(server: string): string {
  const fits = server.length <= MAX_SERVER_LENGTH && /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/.test(server)
  if (fits && !HASHED.test(server)) return server
  return withHash(server.slice(0, 2 * MAX_SERVER_LENGTH).replace(/[^A-Za-z0-9]+/g, '-'), MAX_SERVER_LENGTH, [server])
}

function isToolPart(tool: string, room: number): boolean {
  return tool.length <= room && /^[A-Za-z0-9_-]+$/.test(tool) && !HASHED.test(tool)
}

function withHash(text: string, room: number, names: readonly string[]): string {
  // As JSON, two lone surrogates stay two: as UTF-8 they would be one.
  const hash = createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 8)
  return `${text.slice(0, room - hash.length - 1)}-${hash}`
}
