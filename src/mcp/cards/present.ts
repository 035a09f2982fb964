import { type JsonValue, type Location, oneLine, type ToolCallView, type ToolResultView } from '../../cards/index.js'
import type { FamilyPresenters } from '../../registry/index.js'
import { type McpFacts, parseFacts } from './facts.js'
import { toLocalPath } from './local-path.js'
import { cardOfMeta } from './result-card.js'

/** The name of the family in `ctx.tools.presenters`. */
export const MCP_FAMILY = 'mcp'

const MAX_ARGUMENT_CHARS = 120

/** The presenters of the tools of MCP servers, from the facts that stand in the log. Undefined for facts that are none. */
export function presentMcp(value: JsonValue): FamilyPresenters | undefined {
  const facts = parseFacts(value)
  if (!facts) return undefined
  return {
    presentCall: args => toCallView(facts, args),
    presentPartial: args => toGenericView(facts, args),
    presentResult: (_args, { meta }) => toResultView(facts, meta),
  }
}

function toCallView(facts: McpFacts, args: Record<string, unknown>): ToolCallView {
  const command = textOf(args, facts.command)
  if (command === undefined || command.trim() === '') return toGenericView(facts, args)
  const cwd = toLocalPath(textOf(args, facts.cwd), facts.windows === true)
  // Whose command it is must stand on the card: it looks like one of this machine.
  return { card: 'terminal', title: command, description: ownTitle(facts), ...(cwd === undefined ? {} : { cwd }) }
}

function toGenericView(facts: McpFacts, args: Record<string, unknown>): ToolCallView {
  const argument = toShown(facts.argument === undefined ? undefined : args[facts.argument])
  const locations = toLocations(facts, args)
  return {
    card: 'generic',
    title: argument === '' ? ownTitle(facts) : `${ownTitle(facts)} ${argument}`,
    kind: facts.kind ?? 'other',
    ...(Object.keys(args).length > 0 ? { rawInput: args } : {}),
    ...(locations.length > 0 ? { locations } : {}),
  }
}

/** The server's name comes first on every card: a title cannot pass for another server's or for a tool of ours. */
function ownTitle({ server, title }: McpFacts): string {
  return `${server}: ${title}`
}

function toLocations(facts: McpFacts, args: Record<string, unknown>): Location[] {
  return (facts.paths ?? []).flatMap(parameter => {
    const given = args[parameter]
    const paths = Array.isArray(given) ? given.slice(0, 100) : [given]
    return paths.flatMap(value => {
      const path = toLocalPath(value, facts.windows === true)
      return path === undefined ? [] : [{ path }]
    })
  })
}

function toResultView(facts: McpFacts, meta: JsonValue | undefined): ToolResultView | undefined {
  const card = cardOfMeta(meta)
  if (card?.title === undefined) return card
  return { ...card, title: `${facts.server}: ${oneLine(card.title, MAX_ARGUMENT_CHARS)}` }
}

function textOf(args: Record<string, unknown>, parameter: string | undefined): string | undefined {
  const value = parameter === undefined ? undefined : args[parameter]
  return typeof value === 'string' ? value : undefined
}

function toShown(value: unknown): string {
  if (typeof value === 'string') return oneLine(value, MAX_ARGUMENT_CHARS)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
