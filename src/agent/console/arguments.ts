import { isRecord, type JsonValue } from '../../cards/index.js'
import type { CommandBody } from './command-body.js'
import { withoutSharedNewline } from './fences.js'
import { type ConsoleTool, toConsoleStrings, toParameters, toParameterValue } from './parameters.js'
import type { PromptSource } from './prompt-source.js'
import { splitWords } from './words.js'

export type Arguments = { [key: string]: JsonValue }

/** Arguments, or what is wrong with their form. Whether they fit the tool is for its own check to say. */
export type ParsedArguments = { arguments: Arguments } | { problem: string }

/** The arguments of a call: a JSON object, `name=value` words, or plain text; fenced blocks fill what is left. */
export function parseArguments(tool: ConsoleTool, body: CommandBody, source: PromptSource): ParsedArguments {
  const given = body.isObject ? parseObject(source, body.text) : parseText(tool, source, body.text)
  return 'problem' in given ? given : withBlocks(tool, source, given.arguments, body.blocks)
}

function parseObject(source: PromptSource, text: string): ParsedArguments {
  for (const candidate of source.json(text)) {
    const value = parseJson(candidate)
    if (isRecord(value)) return { arguments: value as Arguments }
  }
  return { problem: 'what stands in braces is not a JSON object' }
}

function parseText(tool: ConsoleTool, source: PromptSource, text: string): ParsedArguments {
  if (text === '') return { arguments: {} }
  const words = toNamedWords(tool, text)
  if (words !== undefined) return toNamedArguments(tool, source, words)
  const [first] = toConsoleStrings(tool)
  if (first === undefined) return { problem: 'it takes no plain text' }
  return { arguments: { [first]: source.plain(text) } }
}

/** Gives the blocks to the console strings that have no value yet, in order. */
function withBlocks(
  tool: ConsoleTool,
  source: PromptSource,
  given: Arguments,
  blocks: readonly string[],
): ParsedArguments {
  const open = toConsoleStrings(tool).filter(name => !Object.hasOwn(given, name))
  if (blocks.length > open.length) {
    return { problem: `fenced blocks after it: ${blocks.length}, it can take ${open.length}` }
  }
  const texts = withoutSharedNewline(blocks).map(text => source.plain(text))
  return { arguments: { ...given, ...Object.fromEntries(texts.map((text, index) => [open[index], text])) } }
}

type NamedWord = { name: string; word: string }

/** Undefined unless every word is `name=value` with the name of a parameter. */
function toNamedWords(tool: ConsoleTool, text: string): NamedWord[] | undefined {
  const words = splitWords(text)
  if (words === undefined) return undefined
  const names = new Set(toParameters(tool).map(parameter => parameter.name))
  const named = words.map(word => {
    const at = word.indexOf('=')
    return { name: word.slice(0, Math.max(0, at)), word: word.slice(at + 1) }
  })
  return named.every(({ name }) => names.has(name)) ? named : undefined
}

function toNamedArguments(tool: ConsoleTool, source: PromptSource, words: readonly NamedWord[]): ParsedArguments {
  const schemas = new Map(toParameters(tool).map(({ name, schema }) => [name, schema]))
  const given = new Map<string, JsonValue>()
  for (const { name, word } of words) {
    if (given.has(name)) return { problem: `${name} is given twice` }
    given.set(name, toParameterValue(schemas.get(name) ?? {}, source.plain(word)))
  }
  return { arguments: Object.fromEntries(given) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
