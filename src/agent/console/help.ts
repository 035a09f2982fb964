import { type ContentBlock, fence } from '../../cards/index.js'
import { toSummary } from './commands.js'
import { CALL_FORM, SHELL_FORM, toForm } from './forms.js'
import type { ConsoleTool } from './parameters.js'
import type { WrongLine } from './read-command.js'
import type { SessionCommand } from './session-command.js'

const MAX_TOOLS = 200

/** `/help`: the forms of a command. */
export function toHelpText(
  tools: readonly ConsoleTool[],
  sessionCommands: readonly SessionCommand[],
  toolLines: boolean,
): string {
  const withBlocks = tools.find(tool => toForm(tool).endsWith('one fenced block'))
  const toBlocksForm = (tool: ConsoleTool) => (toolLines ? toForm(tool) : `/call ${toForm(tool).slice(1)}`)
  return [
    toolLines
      ? 'You run tools by hand here. A prompt holds one command, or several that each start a line.'
      : 'What you write goes to the model. These lines run at once, and the model reads later what came of them:',
    '',
    `- ${toCode(SHELL_FORM)} runs in the shell; if further lines are no commands, they all belong to it`,
    ...(toolLines
      ? ['- `/tool` and the rest of the line, or `name=value` words with shell quoting, or a JSON object']
      : []),
    '- fenced blocks after the line are further arguments',
    `- ${toCode(CALL_FORM)}: any registered tool`,
    '- a file mention (`@file`) stands for its path',
    ...sessionCommands.map(({ name, description }) => `- ${toCode(`/${name}`)}: ${description}`),
    ...(withBlocks
      ? ['', `${toCode(toBlocksForm(withBlocks))} is typed so:`, '', toBlockExample(toBlocksForm(withBlocks))]
      : []),
  ].join('\n')
}

/** The form `/write PATH + one fenced block` as a whole prompt. */
function toBlockExample(form: string): string {
  const [line = form] = form.split(' + ')
  return fence(`${line}\n${fence('text')}`)
}

/** `/tools`: each tool with a line to type. */
export function toToolsText(tools: readonly ConsoleTool[]): string {
  if (tools.length === 0) return 'No tools are registered.'
  const lines = tools.slice(0, MAX_TOOLS).map(tool => {
    const summary = toSummary(tool.description)
    return `- ${toMarkdownForm(tool)}${summary === '' ? '' : `: ${summary}`}`
  })
  const left = tools.length - MAX_TOOLS
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')
}

const NO_MODEL_ADVICE =
  'No model is configured, so nothing reads plain text yet. Run `deckhand login` in a terminal, or set `DECKHAND_MODEL=provider/model` and the key of that provider where your editor starts this agent.'

const TOOLS_ARE_COMING = ' Some tools of this thread are still on their way: try again in a moment.'

/**
 * The answer to a prompt that is no command, when there is no model to read it. `isComplete` is false while tools are on
 * their way, of which it may be one.
 */
export function toNoModelText(
  prompt: readonly ContentBlock[],
  examples: readonly string[],
  advice = NO_MODEL_ADVICE,
  isComplete = true,
): string {
  const [first] = prompt
  const [, unknown] = (first?.type === 'text' && /^\s*\/([\w.-]+)(?:\s|$)/.exec(first.text)) || []
  return [
    ...(unknown === undefined
      ? []
      : [`There is no command ${toCode(`/${unknown}`)}.${isComplete ? '' : TOOLS_ARE_COMING}`, '']),
    advice,
    '',
    'Without a model you can run tools by hand. Try:',
    ...examples.map(example => `- ${toCode(example)}`),
  ].join('\n')
}

/** The answer to a prompt of which one line is wrong. */
export function toWrongLineText({ line, problem, form }: WrongLine, isComplete: boolean): string {
  return `Line ${line}: ${problem}. Nothing was run.${isComplete ? '' : TOOLS_ARE_COMING}\n\nThe right form: ${toCode(form)}`
}

function toMarkdownForm(tool: ConsoleTool): string {
  return toCode(toForm(tool))
}

/** A code span that survives backticks within. */
function toCode(value: string): string {
  const runs = value.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1)
  const line = value.replace(/\s+/g, ' ')
  return fence.length === 1 ? `\`${line}\`` : `${fence} ${line} ${fence}`
}
