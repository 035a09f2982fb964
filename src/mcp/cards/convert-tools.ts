import { setImmediate } from 'node:timers/promises'
import { cutText, oneLine } from '../../cards/index.js'
import type { ActiveExecution, ToolDefinition } from '../../registry/index.js'
import { toToolName } from '../names.js'
import { type ListedTool, toToolDefinition } from './to-tool-definition.js'

/** After so long other work gets its turn. */
const SLICE_MS = 8
const MAX_TOOLS = 5000
const MAX_LISTED = 10

export interface ConvertToolsOptions {
  readonly server: string
  readonly identity?: string
  readonly trusted: boolean
  /** As the server listed them, all pages together. */
  readonly tools: readonly unknown[]
  /** Names that are taken: those of all other tools that the session sees. */
  readonly taken: { has(name: string): boolean }
  /** Asks the server for its tool of this name, which is the server's own. */
  readonly call: (tool: string, args: Record<string, unknown>, exec: ActiveExecution) => Promise<unknown>
  readonly signal?: AbortSignal
}

/** One tool and what became of it. */
export interface ToolNote {
  /** The server's own name, one line. */
  readonly tool: string
  readonly reason: string
}

export interface ConvertedTools {
  readonly definitions: readonly ToolDefinition[]
  readonly repaired: readonly ToolNote[]
  readonly leftOut: readonly ToolNote[]
}

/**
 * The tools of a server, each kept, repaired or left out by itself (B77), in the server's order. Gives way to other work
 * between slices of a few milliseconds; an aborted signal ends it with what there is.
 */
export async function convertTools(options: ConvertToolsOptions): Promise<ConvertedTools> {
  const { server, tools, signal } = options
  const definitions: ToolDefinition[] = []
  const repaired: ToolNote[] = []
  const leftOut: ToolNote[] = []
  const seen = new Set<string>()
  const names = new Set<string>()
  const taken = { has: (name: string) => names.has(name) || options.taken.has(name) }
  let sliceEnd = performance.now() + SLICE_MS
  for (const given of tools.slice(0, MAX_TOOLS)) {
    if (performance.now() > sliceEnd) {
      await setImmediate()
      sliceEnd = performance.now() + SLICE_MS
    }
    if (signal?.aborted) break
    const tool = (typeof given === 'object' && given !== null ? given : {}) as ListedTool
    const shown = typeof tool.name === 'string' ? oneLine(tool.name, 80) || 'a tool' : 'a tool'
    const leave = (reason: string) => leftOut.push({ tool: shown, reason })
    if (typeof tool.name !== 'string' || tool.name === '') {
      leave('it has no name')
      continue
    }
    const own = tool.name
    const name = seen.has(own) ? undefined : toToolName(server, own, taken)
    if (name === undefined) {
      leave(seen.has(own) ? 'the server lists it twice' : 'its name is taken')
      continue
    }
    seen.add(own)
    const converted = toToolDefinition({ ...options, tool, name, call: (args, exec) => options.call(own, args, exec) })
    if ('leftOut' in converted) {
      leave(converted.leftOut)
      continue
    }
    names.add(name)
    definitions.push(converted.definition)
    for (const reason of converted.repairs) repaired.push({ tool: shown, reason })
  }
  if (tools.length > MAX_TOOLS) leftOut.push({ tool: `${tools.length - MAX_TOOLS} more tools`, reason: 'too many' })
  return { definitions, repaired, leftOut }
}

/**
 * The one line that the thread is told of a server's tools; undefined if all of them can be used. Repairs are for the log:
 * the tools work.
 */
export function toToolsNote(server: string, { leftOut }: ConvertedTools): string | undefined {
  if (leftOut.length === 0) return undefined
  const shown = leftOut.slice(0, MAX_LISTED).map(({ tool, reason }) => `${tool} (${reason})`)
  const more = leftOut.length > MAX_LISTED ? ` and ${leftOut.length - MAX_LISTED} more` : ''
  return cutText(`MCP server ${oneLine(server, 60)}: tools left out: ${shown.join(', ')}${more}.`, 2000)
}

/** The lines that the log file gets, one for each tool that was repaired or left out. */
export function toToolsLog(server: string, { repaired, leftOut }: ConvertedTools): string[] {
  const prefix = `MCP server ${oneLine(server, 60)}: `
  return [
    ...leftOut.map(({ tool, reason }) => `${prefix}${tool} left out: ${reason}`),
    ...repaired.map(({ tool, reason }) => `${prefix}${tool} repaired: ${reason}`),
  ].map(line => oneLine(line, 500))
}
