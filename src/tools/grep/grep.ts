import type { Context } from 'cordis'
import { defineTool, lateModule } from '../../registry/index.js'
import { toGlobStart } from '../../workspace/index.js'
import type { NarrowingLimits } from './narrow.js'
import { presentGrepCall, presentGrepResult } from './present.js'
import { toScope } from './scope.js'

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
  const searching = lateModule(async () => (await import('./create-search.js')).createSearch(ctx, config))
  ctx.on('session/idle', searching.warm)
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
        const search = await searching.get()
        return search(args, exec)
      },
      presentCall: presentGrepCall,
      presentResult: presentGrepResult,
      effects: args => ({ reads: [toGlobStart(args.path, toScope(args.glob).base)] }),
      isConcurrencySafe: () => true,
    }),
  )
}
