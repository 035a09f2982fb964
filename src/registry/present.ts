import { isToolCallView, isToolResultView, type ToolCallView, type ToolResultView } from '../cards/index.js'
import { checkArguments, parseArguments } from './arguments.js'
import { contain } from './contain.js'
import { errorMessage } from './failure.js'
import type { ToolDefinition, ToolEffects, ToolResult } from './types.js'

type Warn = (problem: string) => void
/** A definition, or the presenters of a family, which have no check of arguments. */
type Presented = Pick<ToolDefinition, 'validate' | 'presentCall' | 'presentPartial' | 'presentResult'>

/** The call's card, or undefined: the reason goes to `warn`. Never throws. */
export function presentCall(definition: Presented, raw: unknown, warn: Warn): ToolCallView | undefined {
  if (definition.presentCall === undefined) return undefined
  const view = callWithArgs(definition, raw, 'presentCall', warn, args => definition.presentCall?.(args))
  return view === undefined || isToolCallView(view) ? view : reject('presentCall', warn)
}

/** The result's card, or undefined: the reason goes to `warn`. Never throws. */
export function presentResult(
  definition: Presented,
  raw: unknown,
  result: ToolResult,
  warn: Warn,
): ToolResultView | undefined {
  if (definition.presentResult === undefined) return undefined
  const view = callWithArgs(definition, raw, 'presentResult', warn, args => definition.presentResult?.(args, result))
  return view === undefined || isToolResultView(view) ? view : reject('presentResult', warn)
}

/** The card while arguments stream: card, title, kind and locations only; never a terminal card. Never throws. */
export function presentPartial(definition: Presented, partial: Record<string, unknown>): ToolCallView | undefined {
  // Keys are missing, so a throw is no fault: nothing to show yet.
  const view: unknown = contain(
    () => definition.presentPartial?.(partial),
    () => {},
  )
  if (typeof view !== 'object' || view === null) return undefined
  const early = contain(
    () => withoutContent(view),
    () => {},
  )
  return isToolCallView(early) ? early : undefined
}

/** What the call would touch; undefined, which is anything, also after a throw or a malformed answer. Never throws. */
export function effects(definition: ToolDefinition, raw: unknown, warn: Warn): ToolEffects | undefined {
  if (definition.effects === undefined) return undefined
  const found = callWithArgs(definition, raw, 'effects', warn, args => definition.effects?.(args))
  return found === undefined || isToolEffects(found) ? found : reject('effects', warn)
}

/** True only if the tool says exactly true of these arguments. Never throws. */
export function isConcurrencySafe(definition: ToolDefinition, raw: unknown, warn: Warn): boolean {
  if (definition.isConcurrencySafe === undefined) return false
  return callWithArgs(definition, raw, 'isConcurrencySafe', warn, args => definition.isConcurrencySafe?.(args)) === true
}

/** `unknown`, not the declared type: what a plugin really returns is checked by the caller. */
function callWithArgs(
  definition: Pick<ToolDefinition, 'validate'>,
  raw: unknown,
  method: string,
  warn: Warn,
  call: (args: Record<string, unknown>) => unknown,
): unknown {
  return contain(
    () => {
      const args = parseArguments(raw)
      checkArguments(definition, args)
      return call(args) ?? undefined
    },
    error => warn(`${method}: ${errorMessage(error)}`),
  )
}

function reject(method: string, warn: Warn): undefined {
  warn(`${method}: the answer is malformed`)
  return undefined
}

function withoutContent(view: object): unknown {
  const { card, title, kind, locations, paths, diffs } = view as Record<string, unknown>
  if (card === 'generic') {
    return {
      card,
      title,
      ...(kind !== undefined && { kind }),
      ...given('locations', locations),
      ...given('paths', paths),
    }
  }
  if (card === 'diff') return { card, title, diffs: [], ...given('locations', locations ?? diffLocations(diffs)) }
  return undefined
}

function given(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value }
}

/** The diffs go with the content, but the files that they name are known. */
function diffLocations(diffs: unknown): unknown {
  if (!Array.isArray(diffs)) return undefined
  const paths = diffs.map(diff => diff?.path).filter(path => typeof path === 'string')
  return paths.length === 0 ? undefined : [...new Set(paths)].map(path => ({ path }))
}

function isToolEffects(value: unknown): value is ToolEffects {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { reads, writes, runs, runsIn, network } = value as Record<string, unknown>
  return (
    [reads, writes].every(paths => paths === undefined || isStrings(paths)) &&
    [runs, runsIn].every(text => text === undefined || typeof text === 'string') &&
    (network === undefined || network === true || isStrings(network))
  )
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}
