import { randomUUID } from 'node:crypto'
import type { ContentBlock } from '../../cards/index.js'
import type { ToolRegistry } from '../../registry/index.js'
import type { Driver, DriverCommand, DriverStep, DriverTurn } from '../driver.js'
import type { Grammar } from './command-head.js'
import { toDriverCommands } from './commands.js'
import { toHelpText, toNoModelText, toToolsText, toWrongLineText } from './help.js'
import type { ConsoleTool } from './parameters.js'
import { type ParsedPrompt, parsePrompt } from './parse.js'
import type { SessionCommand } from './session-command.js'

export interface ConsoleDriverOptions {
  tools: Pick<ToolRegistry, 'forSession'>
  /** The tool that runs `!` lines, through its first console string. Default `bash`. */
  commandTool?: string
  /** Besides /help and /tools. */
  sessionCommands?: readonly SessionCommand[]
  /** Which tools stand in the editor's menu; all can be called. Default: every one. */
  advertises?: (tool: ConsoleTool) => boolean
  /** Lines that the answer to plain text suggests. */
  examples?: readonly string[]
  /** Lines of the form `/tool …` are commands; else they are text. Default true. */
  toolLines?: boolean
}

/** The console's commands are known at once. */
export interface ConsoleDriver extends Driver {
  commands(agent?: DriverTurn['agent']): DriverCommand[]
  /** The prompt of a turn, when the tools are there that the session expects. */
  read(turn: DriverTurn): Promise<ParsedPrompt>
  parse(prompt: readonly ContentBlock[], agent?: DriverTurn['agent']): ParsedPrompt
}

export const EXAMPLES = ['!ls', '/tools', '/help']

/** Runs the commands that the user types in a prompt; no model, no key. */
export function createConsoleDriver({
  tools,
  commandTool = 'bash',
  sessionCommands: furtherCommands = [],
  advertises = () => true,
  examples = EXAMPLES,
  toolLines = true,
}: ConsoleDriverOptions): ConsoleDriver {
  const registered = (agent: DriverTurn['agent'] | undefined) => {
    const own = tools.forSession(agent?.sessionId)
    return own
      .schemas()
      .map((schema): ConsoleTool => own.get(schema.name) ?? schema)
      .filter(tool => !tool.modelOnly)
  }
  const sessionCommands: SessionCommand[] = [
    {
      name: 'help',
      description: 'How to type commands',
      run: ({ agent }) => toHelpText(registered(agent), sessionCommands, toolLines),
    },
    {
      name: 'tools',
      description: 'The tools and how to call them',
      run: async ({ agent, signal }) => {
        await tools.forSession(agent.sessionId).settled(signal)
        return toToolsText(registered(agent))
      },
    },
    ...furtherCommands,
  ]
  const commandNames = new Set(sessionCommands.map(command => command.name))
  const toGrammar = (agent: DriverTurn['agent'] | undefined): Grammar => {
    const own = tools.forSession(agent?.sessionId)
    const find = (name: string) => own.get(name)
    return {
      lineTool: toolLines ? find : () => undefined,
      calledTool: find,
      commandTool,
      sessionCommands: commandNames,
    }
  }

  async function read({ prompt, agent, signal }: DriverTurn): Promise<ParsedPrompt> {
    const parsed = parsePrompt(prompt, toGrammar(agent))
    if (parsed.type !== 'text' && parsed.type !== 'wrong') return parsed
    // The line may name a tool that is on its way.
    await tools.forSession(agent.sessionId).settled(signal)
    return parsePrompt(prompt, toGrammar(agent))
  }

  return {
    read,
    async *run(turn) {
      const parsed = await read(turn)
      switch (parsed.type) {
        case 'calls':
          // One step for each: a command starts when the one before has ended, also if that failed.
          for (const call of parsed.calls) {
            if (turn.signal.aborted) break
            yield { type: 'calls', calls: [{ ...call, origin: 'user' }] }
          }
          break
        case 'session-command':
          yield await toStep(
            sessionCommands.find(({ name }) => name === parsed.name),
            turn,
          )
          break
        case 'wrong':
          yield toText(toWrongLineText(parsed, tools.forSession(turn.agent.sessionId).isComplete))
          break
        case 'text':
          yield toText(
            toNoModelText(turn.prompt, examples, undefined, tools.forSession(turn.agent.sessionId).isComplete),
          )
      }
      return 'end_turn'
    },
    parse: (prompt, agent) => parsePrompt(prompt, toGrammar(agent)),
    // A session's own tools are called as well; a menu of thousands is of no use, and a long message.
    commands: () => toDriverCommands(toolLines ? registered(undefined).filter(advertises) : [], sessionCommands),
  }
}

async function toStep(command: SessionCommand | undefined, turn: DriverTurn): Promise<DriverStep> {
  if (command === undefined) return toText('')
  if ('call' in command) return { type: 'calls', calls: [{ ...command.call, origin: 'user' }] }
  return toText(await command.run(turn))
}

function toText(text: string): DriverStep {
  return { type: 'text', messageId: randomUUID(), text }
}
