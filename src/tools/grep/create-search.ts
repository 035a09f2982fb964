import type { Context } from 'cordis'
import { HarnessError, text } from '../../cards/index.js'
import type { ActiveExecution, ToolOutput } from '../../registry/index.js'
import { toGlobStart } from '../../workspace/index.js'
import { collectHits } from './collect.js'
import { findRipgrep } from './find-ripgrep.js'
import type { GrepConfig } from './grep.js'
import { requiredLiterals, toNeedle } from './literals.js'
import { type NarrowingLimits, narrow } from './narrow.js'
import { openRipgrep } from './open-ripgrep.js'
import { toRegExp } from './pattern.js'
import type { GrepMeta } from './present.js'
import { toReport } from './report.js'
import { toScope } from './scope.js'
import { MAX_FILE_BYTES, Search } from './search.js'

const DEFAULT_RESULTS = 200
const MAX_RESULTS = 2000
const MAX_CONTEXT = 20

const NARROWING: NarrowingLimits = {
  first: 512,
  least: 1024,
  most: 4096,
  mostPathBytes: process.platform === 'win32' ? 16 * 1024 : 128 * 1024,
  maxFileBytes: MAX_FILE_BYTES,
}

interface GrepArgs {
  pattern: string
  path?: string
  glob?: string
  ignore_case?: boolean
  context?: number
  max_results?: number
}

/** What a call of the tool does. Throws INVALID_ARGS for numbers and patterns that cannot be used. */
export function createSearch(
  ctx: Context,
  config: GrepConfig,
): (args: GrepArgs, exec: ActiveExecution) => Promise<ToolOutput> {
  const limits = { ...NARROWING, ...config.narrowing }
  let known = config.ripgrep
  const program = () => {
    if (known === undefined) known = findRipgrep() ?? null
    return known ?? undefined
  }
  return async (args, exec) => {
    const regex = toRegExp(args.pattern, args.ignore_case ?? false)
    const maxResults = toCount('max_results', args.max_results ?? DEFAULT_RESULTS, 1, MAX_RESULTS)
    const context = toCount('context', args.context ?? 0, 0, MAX_CONTEXT)
    const { base, filter } = toScope(args.glob)
    const walk = await ctx.files.walk(exec.agent, toGlobStart(args.path, base), { filter, signal: exec.signal })
    const { ignoreCase } = regex
    const literals = requiredLiterals(args.pattern, ignoreCase)
    const needle = toNeedle(literals, ignoreCase)
    const search = new Search({ regex, needle, maxHits: maxResults, signal: exec.signal })
    const openFinder = () => openRipgrep(ctx, { exec, literals, ignoreCase, program: program() })
    const groups = narrow(walk.batches(), openFinder, limits)
    const collected = await collectHits(search.run(groups), { maxResults, context, cwd: exec.agent?.cwd })
    const summary = search.reached ?? walk.summary
    const place = args.path ?? 'the working directory'
    const meta: GrepMeta = {
      hits: collected.hitCount,
      files: collected.fileCount,
      more: collected.full !== undefined,
      locations: collected.locations,
    }
    const report = { pattern: args.pattern, place, glob: args.glob, collected, tally: search.tally, summary }
    return { content: [text(toReport(report))], meta }
  }
}

function toCount(parameter: string, value: number, min: number, max: number): number {
  if (value >= min) return Math.min(value, max)
  throw new HarnessError('INVALID_ARGS', `${parameter} is ${value}, but must be at least ${min}.`)
}
