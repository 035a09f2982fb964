import { type Arguments, parseArguments } from './arguments.js'
import { readCommandBody } from './command-body.js'
import { type Grammar, readCommandHead, splitName } from './command-head.js'
import { CALL_FORM, SHELL_FORM, toForm } from './forms.js'
import { type ConsoleTool, toConsoleStrings } from './parameters.js'
import type { PromptSource } from './prompt-source.js'

export interface ParsedCall {
  name: string
  arguments: Arguments
}

/** A line whose form is wrong: its 1-based number, what is wrong, and the right form. */
export interface WrongLine {
  type: 'wrong'
  line: number
  problem: string
  form: string
}

/** One command: its call, or what is wrong with it. `form` is the right form of such a command, `next` the line after it. */
interface ReadCommand {
  calls: ParsedCall[]
  wrong?: WrongLine
  /** The line is no command at all, so that a `!` command above it may own it. */
  stray?: true
  form: string
  next: number
}

export function wrongLine(at: number, problem: string, form: string): WrongLine {
  return { type: 'wrong', line: at + 1, problem, form }
}

/** The command that starts at line `at`. `formAbove` is the form of the command above, which a stray line may be meant for. */
export function readCommand(source: PromptSource, at: number, grammar: Grammar, formAbove = SHELL_FORM): ReadCommand {
  if (at >= source.commandLines) {
    return failed(at, at + 1, 'text after a mention belongs to the command before it', formAbove)
  }
  const line = source.lines[at] ?? ''
  const head = readCommandHead(line, grammar)
  switch (head?.type) {
    case 'shell':
      // What follows a mention on the last line goes to this command, with all its lines.
      return readShellCommand(source, at, at === source.commandLines - 1 ? source.lines.length : at + 1, grammar)
    case 'tool':
      return readToolCommand(source, at, head.tool, head.rest, toForm(head.tool))
    case 'call':
      return readCall(source, at, head.rest, grammar)
    case 'session':
      return failed(at, at + 1, `/${head.name} stands alone in a prompt`, `/${head.name}`)
    case 'bang':
      return failed(at, at + 1, 'this line has no command after its !', SHELL_FORM)
    default:
      return { ...failed(at, at + 1, 'this line is no command', formAbove), stray: true }
  }
}

/** The lines from `at` to `end` as one call of the command tool. */
export function readShellCommand(source: PromptSource, at: number, end: number, grammar: Grammar): ReadCommand {
  const tool = grammar.calledTool(grammar.commandTool)
  const [parameter] = tool === undefined ? [] : toConsoleStrings(tool)
  if (parameter === undefined) {
    return failed(at, end, `there is no tool ${grammar.commandTool} to run it`, '/tools lists the tools there are')
  }
  const command = source.shell(source.lines.slice(at, end).join('\n').slice(1).trim())
  if (command === undefined) {
    return failed(
      at,
      end,
      'the path of a mention cannot be quoted where it stands',
      '!command @file, without quotes around it',
    )
  }
  return done({ name: grammar.commandTool, arguments: { [parameter]: command } }, SHELL_FORM, end)
}

function readCall(source: PromptSource, at: number, rest: string, grammar: Grammar): ReadCommand {
  const [name, ownRest] = splitName(rest)
  const tool = grammar.calledTool(name)
  if (tool !== undefined) return readToolCommand(source, at, tool, ownRest, `/call ${toForm(tool).slice(1)}`)
  const { next } = readCommandBody(source.lines, at, ownRest)
  const problem =
    name === ''
      ? 'the name of a tool is missing'
      : `no tool is named ${source.plain(name)}; /tools lists those there are`
  return failed(at, next, problem, CALL_FORM)
}

function readToolCommand(source: PromptSource, at: number, tool: ConsoleTool, rest: string, form: string): ReadCommand {
  const body = readCommandBody(source.lines, at, rest)
  if (body.wrong !== undefined) return failed(body.wrong.line, body.next, body.wrong.problem, form)
  const parsed = parseArguments(tool, body, source)
  if ('problem' in parsed) return failed(at, body.next, parsed.problem, form)
  return done({ name: tool.name, arguments: parsed.arguments }, form, body.next)
}

function done(call: ParsedCall, form: string, next: number): ReadCommand {
  return { calls: [call], form, next }
}

function failed(at: number, next: number, problem: string, form: string): ReadCommand {
  return { calls: [], wrong: wrongLine(at, problem, form), form, next }
}
