import { isDeepStrictEqual } from 'node:util'
import type { ToolDefinition } from '../../registry/index.js'
import { inWorld, type WorldAnswer } from '../altered-world.js'
import { firstDifference } from '../first-difference.js'
import type { SampleRun } from '../run-sample.js'
import { labelOf } from '../show.js'
import type { ToolSample } from '../types.js'

type Input = { args: Record<string, unknown>; result?: SampleRun['result'] }
type Method = 'presentCall' | 'presentResult' | 'effects' | 'isConcurrencySafe'

/** presentCall, effects and isConcurrencySafe depend on their arguments alone, and leave them as they were. */
export function callPurityProblems(tool: ToolDefinition, sample: ToolSample): string[] {
  return (['presentCall', 'effects', 'isConcurrencySafe'] as const).flatMap(method =>
    methodProblems(tool, method, { args: sample.args }, sample),
  )
}

/** The same for presentResult, of its arguments and the result. */
export function resultPurityProblems({ tool, sample, result }: SampleRun): string[] {
  return methodProblems(tool, 'presentResult', { args: sample.args, result }, sample)
}

function methodProblems(tool: ToolDefinition, method: Method, input: Input, sample: ToolSample): string[] {
  if (tool[method] === undefined) return []
  const at = `${labelOf(sample)}: ${method}`
  return [...answerProblems(tool, method, input, at), ...changeProblems(tool, method, input, at)]
}

function answerProblems(tool: ToolDefinition, method: Method, input: Input, at: string): string[] {
  const first = inWorld(false, () => call(tool, method, copy(input)))
  const second = inWorld(true, () => call(tool, method, copy(input)))
  const [one, other] = [toPlain(first), toPlain(second)]
  if (isDeepStrictEqual(one, other)) return []
  const asked = second.asked.length === 0 ? '' : ` It asks for ${second.asked.join(', ')}.`
  const facts = method === 'presentResult' ? ' What only the run knows belongs in meta.' : ''
  return [`${at} answers differently for the same arguments: ${firstDifference(one, other)}.${asked}${facts}`]
}

function changeProblems(tool: ToolDefinition, method: Method, input: Input, at: string): string[] {
  const given = copy(input)
  inWorld(false, () => call(tool, method, given))
  if (isDeepStrictEqual(given, copy(input))) return []
  const what = firstDifference(copy(input), given)
  return [
    `${at} changes what it was given: ${what}. Sessions hand it frozen values: copy before sort, reverse or push.`,
  ]
}

function call(tool: ToolDefinition, method: Method, { args, result }: Input): unknown {
  return method === 'presentResult'
    ? tool.presentResult?.(args, result ?? { content: [], isError: false })
    : tool[method]?.(args)
}

function copy(input: Input): Input {
  return JSON.parse(JSON.stringify(input))
}

function toPlain({ value, threw }: WorldAnswer<unknown>): unknown {
  if (threw !== undefined) return { threw: threw instanceof Error ? threw.message : String(threw) }
  return { value: value === undefined ? undefined : JSON.parse(JSON.stringify(value) ?? 'null') }
}
