import { isRecord, type ToolCallView, type ToolResultView } from '../cards/index.js'
import { isParsed } from './arguments.js'
import { deepFreeze } from './deep-freeze.js'
import { type InferArgs, type SchemaSpec, schemaSpecToJsonSchema } from './schema-spec.js'
import { ToolArgsError } from './tool-args-error.js'
import type { ActiveExecution, ToolDefinition, ToolEffects, ToolOutput, ToolResult } from './types.js'
import { dropNulls, hasPropertyType, validateArgs } from './validate-args.js'

/** A tool with typed parameters; the rest is as in {@link ToolDefinition}. */
export interface ToolOptions<S extends SchemaSpec> {
  name: string
  description: string
  parameters: S
  /** `args` fit the parameters; they are frozen, and so not to be changed in place. */
  execute(args: InferArgs<S>, exec: ActiveExecution): Promise<ToolOutput>
  /** While the arguments stream, keys are missing, required ones too: undefined or a throw then means "nothing yet". */
  presentCall?(args: InferArgs<S>): ToolCallView | undefined
  presentResult?(args: InferArgs<S>, result: ToolResult): ToolResultView | undefined
  effects?(args: InferArgs<S>): ToolEffects | undefined
  isConcurrencySafe?(args: InferArgs<S>): boolean
  consoleStrings?: readonly (keyof S & string)[]
}

/** Arguments without the keys that count as not given, and what in them does not fit the parameters. */
interface Judgement<S extends SchemaSpec> {
  args: InferArgs<S>
  violations: string[]
}

/**
 * Makes a tool whose arguments are checked against its parameters before a gate or its body sees them. Optional keys that
 * are null count as not given. The presenters, effects and isConcurrencySafe get only arguments that fit, else they are not
 * called: the answer is undefined, or false.
 */
export function defineTool<const S extends SchemaSpec>(options: ToolOptions<S>): ToolDefinition {
  const spec: SchemaSpec = options.parameters
  const { presentCall, presentResult, effects, isConcurrencySafe, consoleStrings } = options

  // Gates, presenters and the body ask about the same arguments, of which the registry keeps one copy for each call.
  const judged = new WeakMap<object, Judgement<S>>()

  function judge(raw: unknown): Judgement<S> {
    const known = isParsed(raw) ? judged.get(raw) : undefined
    if (known !== undefined) return known
    const args = isRecord(raw) ? deepFreeze(dropNulls(spec, raw)) : raw
    const found = { args: args as InferArgs<S>, violations: validateArgs(spec, args) }
    if (isParsed(raw)) judged.set(raw, found)
    return found
  }

  function check(raw: unknown): InferArgs<S> {
    const { args, violations } = judge(raw)
    if (violations.length > 0) throw new ToolArgsError(options.name, violations)
    return args
  }

  function accept(raw: unknown): InferArgs<S> | undefined {
    const { args, violations } = judge(raw)
    return violations.length === 0 ? args : undefined
  }

  function acceptPartial(raw: Record<string, unknown>): InferArgs<S> | undefined {
    const given = Object.entries(raw).filter(([name, value]) => !(Object.hasOwn(spec, name) && value === null))
    const fits = given.every(([name, value]) => !Object.hasOwn(spec, name) || hasPropertyType(spec[name]!, value))
    return fits ? (Object.fromEntries(given) as InferArgs<S>) : undefined
  }

  return {
    name: options.name,
    description: options.description,
    parameters: schemaSpecToJsonSchema(spec),
    validate(raw) {
      check(raw)
    },
    async execute(raw: unknown, exec) {
      return options.execute(check(raw), exec)
    },
    ...(presentCall && {
      presentCall: raw => whenDefined(accept(raw), args => presentCall.call(options, args)),
      presentPartial: raw => whenDefined(acceptPartial(raw), args => presentCall.call(options, args)),
    }),
    ...(presentResult && {
      presentResult: (raw, result) => whenDefined(accept(raw), args => presentResult.call(options, args, result)),
    }),
    ...(effects && { effects: raw => whenDefined(accept(raw), args => effects.call(options, args)) }),
    ...(isConcurrencySafe && {
      isConcurrencySafe: raw => whenDefined(accept(raw), args => isConcurrencySafe.call(options, args)) === true,
    }),
    ...(consoleStrings && { consoleStrings }),
  }
}

function whenDefined<T, R>(value: T | undefined, use: (value: T) => R): R | undefined {
  return value === undefined ? undefined : use(value)
}
