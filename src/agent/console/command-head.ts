import type { ConsoleTool } from './parameters.js'

/** What counts as a command in a prompt. A driver with a model lets `lineTool` find none: such lines are the model's. */
export interface Grammar {
  /** The tool of a `/name` line; undefined if such a line is text. */
  lineTool(name: string): ConsoleTool | undefined
  /** The tool that `/call NAME` runs. */
  calledTool(name: string): ConsoleTool | undefined
  /** Name of the tool that runs `!` lines. */
  commandTool: string
  sessionCommands: ReadonlySet<string>
}

/** How a line begins. `bang` is a lone `!` or a Markdown image: it has the mark of a command and is none (J1). */
export type CommandHead =
  | { type: 'shell'; rest: string }
  | { type: 'bang' }
  | { type: 'tool'; tool: ConsoleTool; rest: string }
  | { type: 'call'; rest: string }
  | { type: 'session'; name: string; rest: string }

/** Undefined if the line is text. A name ends at a blank: `/etc/hosts` and `/writex` are text beside a tool `write`. */
export function readCommandHead(line: string, grammar: Grammar): CommandHead | undefined {
  if (line.startsWith('!')) {
    return line.startsWith('![') || line.trim() === '!' ? { type: 'bang' } : { type: 'shell', rest: line.slice(1) }
  }
  if (!line.startsWith('/')) return undefined
  const [name, rest] = splitName(line.slice(1))
  if (name === 'call') return { type: 'call', rest }
  if (grammar.sessionCommands.has(name)) return { type: 'session', name, rest }
  const tool = grammar.lineTool(name)
  return tool && { type: 'tool', tool, rest }
}

/** The first word of a text, and what follows it without blanks at its ends. */
export function splitName(text: string): [name: string, rest: string] {
  const end = text.search(/\s/)
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}
