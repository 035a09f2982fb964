import type { ToolHost } from '../host.js'
import { labelOf } from '../show.js'
import type { ToolSample } from '../types.js'

const HOLES = /\b(undefined|null|NaN)\b|\[object /

/** While a model writes, presentCall gets some of the arguments only: what it shows then must not name what is missing. */
export function partialProblems({ ctx, tool }: Pick<ToolHost, 'ctx' | 'tool'>, sample: ToolSample): string[] {
  const whole = shown(ctx.tools.presentCall(tool.name, sample.args))
  if (whole.some(text => HOLES.test(text))) return []
  return partsOf(sample.args).flatMap(args => {
    const hole = shown(ctx.tools.presentPartial(tool.name, args)).find(text => HOLES.test(text))
    if (hole === undefined) return []
    const given = Object.keys(args)
    const only = given.length === 0 ? 'no argument is' : `only ${given.join(', ')} ${given.length === 1 ? 'is' : 'are'}`
    return [
      `${labelOf(sample)}: while ${only} there, presentCall shows ${JSON.stringify(hole)}: return undefined until it has what it shows.`,
    ]
  })
}

/** The arguments as they grow, and with each one missing. */
function partsOf(args: Record<string, unknown>): Record<string, unknown>[] {
  const entries = Object.entries(args)
  const growing = entries.map((_, count) => entries.slice(0, count))
  const without = entries.map((_, index) => entries.toSpliced(index, 1))
  return [...growing, ...without].map(some => Object.fromEntries(some))
}

function shown(view: ReturnType<ToolHost['ctx']['tools']['presentCall']>): string[] {
  if (view === undefined) return []
  const paths = 'locations' in view ? (view.locations ?? []) : []
  return [view.title, ...paths.map(({ path }) => path)]
}
