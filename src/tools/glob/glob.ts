import type { Context } from 'cordis'
import { text } from '../../cards/index.js'
import { defineTool } from '../../registry/index.js'
import { compileGlob, toGlobStart } from '../../workspace/index.js'
import { findPaths } from './find.js'
import { type GlobMeta, presentGlobCall, presentGlobResult } from './present.js'
import { toReport } from './report.js'

export const name = 'glob'
export const inject = ['tools', 'files']

/** Registers the tool `glob`. */
export function apply(ctx: Context): void {
  ctx.tools.register(
    defineTool({
      name: 'glob',
      description:
        'Find files by name, in path order. Leaves out what .gitignore excludes unless the pattern begins with it ' +
        '(dist/**), hidden files unless the pattern names them (.github/**), and files whose name says secret.',
      parameters: {
        pattern: {
          type: 'string',
          required: true,
          description:
            'A glob from path on: `src/**/*.{ts,tsx}`. With a slash at the end it finds directories instead.',
        },
        path: { type: 'string', description: 'The directory to look in. Default: the working directory.' },
      },
      async execute(args, exec) {
        const glob = compileGlob(args.pattern)
        const found = await findPaths({
          files: ctx.files,
          agent: exec.agent,
          path: args.path,
          glob,
          signal: exec.signal,
        })
        const meta: GlobMeta = { found: found.paths.length, more: found.more }
        return { content: [text(toReport(args.pattern, args.path, found))], meta }
      },
      presentCall: presentGlobCall,
      presentResult: presentGlobResult,
      effects: args => ({ reads: [toGlobStart(args.path, compileGlob(args.pattern).base)] }),
      isConcurrencySafe: () => true,
    }),
  )
}
