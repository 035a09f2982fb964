import type { Context } from 'cordis'
import { HarnessError, text } from '../../cards/index.js'
import { defineTool } from '../../registry/index.js'
import { compileGlob, toGlobStart } from '../../workspace/index.js'
import { collectHits } from './collect.js'
import { findRipgrep } from './find-ripgrep.js'
import { requiredLiterals, toNeedle } from './literals.js'
import { type NarrowingLimits, narrow } from './narrow.js'
import { openRipgrep } from './open-ripgrep.js'
import { toRegExp } from './pattern.js'
import { type GrepMeta, presentGrepCall, presentGrepResult } from './present.js'
import { toReport } from './report.js'
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

/** How ripgrep is used, which changes no result. */
export interface GrepConfig {
  /** Absolute path of the program; null: none. Default: that of the optional package. */
  ripgrep?: string | null
  narrowing?: Partial<NarrowingLimits>
}

export const name = 'grep'
export const inject = ['tools', 'files']

/** Registers the tool `grep`. */
export function apply(ctx: Context, config: GrepConfig = {}): void {
  const limits = { ...NARROWING, ...config.narrowing }
  let known = config.ripgrep
  const program = () => {
    if (known === undefined) known = findRipgrep() ?? null
    return known ?? undefined
  }
  ctx.tools.register(
    defineTool({
      name: 'grep',
      description:
        'Search the text of files line by line with a regular expression. Leaves out what .gitignore excludes, hidden ' +
        'files unless path or glob names them, files that are not text, and files whose name says secret.',
      parameters: {
        pattern: {
          type: 'string',
          required: true,
          description: 'A JavaScript regular expression (flag u: escape literal braces and brackets).',
        },
        path: { type: 'string', description: 'The file or directory to search. Default: the working directory.' },
        glob: {
          type: 'string',
          description:
            'Search only files that match: `*.ts` at every level, `src/**/*.ts` from path on, `!*.test.ts` all others.',
        },
        ignore_case: { type: 'boolean', description: 'Default: false.' },
        context: { type: 'integer', description: 'Lines to show around each hit, at most 20. Default: 0.' },
        max_results: { type: 'integer', description: 'Hits to show, at most 2000. Default: 200.' },
      },
      async execute(args, exec) {
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
      },
      presentCall: presentGrepCall,
      presentResult: presentGrepResult,
      effects: args => ({ reads: [toGlobStart(args.path, toScope(args.glob).base)] }),
      isConcurrencySafe: () => true,
    }),
  )
}

function toScope(glob: string | undefined) {
  return glob === undefined ? { base: '', filter: undefined } : compileGlob(glob, { anyLevel: true })
}

function toCount(parameter: string, value: number, min: number, max: number): number {
  if (value >= min) return Math.min(value, max)
  throw new HarnessError('INVALID_ARGS', `${parameter} is ${value}, but must be at least ${min}.`)
}
