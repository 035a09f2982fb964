import type { ContentBlock } from '../../cards/index.js'
import { type Grammar, readCommandHead } from './command-head.js'
import { type PromptSource, toPromptSource } from './prompt-source.js'
import { type ParsedCall, readCommand, readShellCommand, type WrongLine, wrongLine } from './read-command.js'

/** A prompt is calls to run in order, one session command, text, or wrong as a whole. */
export type ParsedPrompt =
  | { type: 'calls'; calls: ParsedCall[] }
  | { type: 'session-command'; name: string }
  | { type: 'text' }
  | WrongLine

/** Reads a whole prompt before anything of it runs. Never throws. */
export function parsePrompt(blocks: readonly ContentBlock[], grammar: Grammar): ParsedPrompt {
  const source = toPromptSource(blocks)
  if (source === undefined) return { type: 'text' }
  const head = readCommandHead(source.lines[source.start] ?? '', grammar)
  if (head === undefined || head.type === 'bang') return { type: 'text' }
  if (head.type === 'session') {
    const rest = [head.rest, ...source.lines.slice(source.start + 1)]
    if (rest.every(line => line.trim() === '')) return { type: 'session-command', name: head.name }
    return wrongLine(source.start, `/${head.name} stands alone in a prompt`, `/${head.name}`)
  }
  if (source.foreign !== undefined) {
    return wrongLine(
      source.start,
      `the mention ${source.foreign} is no file`,
      'a mention of a file, or its path as text',
    )
  }
  return parseCommands(source, grammar)
}

/**
 * One command after another. If a line after a `!` line is no command, all lines from that `!` line on belong to it: a
 * here-document, a loop (J1).
 */
function parseCommands(source: PromptSource, grammar: Grammar): ParsedPrompt {
  const calls: ParsedCall[] = []
  let shell: { at: number; callsBefore: number } | undefined
  let wrong: WrongLine | undefined
  let form: string | undefined
  for (let at = source.start; at < source.lines.length; ) {
    const line = source.lines[at] ?? ''
    if (line.trim() === '') {
      at++
      continue
    }
    if (line.startsWith('!')) shell ??= { at, callsBefore: calls.length }
    const read = readCommand(source, at, grammar, form)
    if (read.stray && shell !== undefined) {
      const whole = readShellCommand(source, shell.at, source.lines.length, grammar)
      return whole.wrong ?? { type: 'calls', calls: [...calls.slice(0, shell.callsBefore), ...whole.calls] }
    }
    calls.push(...read.calls)
    wrong ??= read.wrong
    // A wrong line below a `!` line may still turn out to belong to it.
    if (wrong !== undefined && shell === undefined) return wrong
    form = read.form
    at = read.next
  }
  return wrong ?? { type: 'calls', calls }
}
