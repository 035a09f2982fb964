import { cutText } from '../../cards/index.js'
import type { DriverCommand } from '../driver.js'
import { CALL_FORM, needsArgument, toForm } from './forms.js'
import type { ConsoleTool } from './parameters.js'
import type { SessionCommand } from './session-command.js'

const MAX_SUMMARY = 100

/**
 * The slash menu: tool lines, `/call` and the session commands. A hint stands only where an argument is required, since an
 * editor sends a command without one as soon as it is picked; hint and description both end with the form, as some clients
 * show only one.
 */
export function toDriverCommands(
  tools: readonly ConsoleTool[],
  sessionCommands: readonly SessionCommand[],
): DriverCommand[] {
  // In a prompt these words win over a tool of the same name.
  const taken = new Set(['call', ...sessionCommands.map(command => command.name)])
  const lines = tools.filter(tool => !taken.has(tool.name))
  return [
    ...lines.map(tool => toCommand(tool.name, toSummary(tool.description), toForm(tool), needsArgument(tool))),
    toCommand('call', 'Run any registered tool', CALL_FORM, true),
    ...sessionCommands.map(({ name, description }) => toCommand(name, description, `/${name}`, false)),
  ]
}

/** The first sentence of a description, on one line. */
export function toSummary(description: string): string {
  const line = description.replace(/\s+/g, ' ').trim()
  const sentence = /^.*?[.!?](?= |$)/.exec(line)?.[0].replace(/\.$/, '') ?? line
  return cutText(sentence, MAX_SUMMARY)
}

function toCommand(name: string, summary: string, form: string, hasHint: boolean): DriverCommand {
  const description = summary === '' ? form : `${summary}: ${form}`
  return { name, description, ...(hasHint ? { hint: form } : {}) }
}
