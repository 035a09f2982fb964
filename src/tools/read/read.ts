import type { Context } from 'cordis'
import { formatBytes, HarnessError, text } from '../../cards/index.js'
import { defineTool } from '../../registry/index.js'
import type { FileLines } from '../../workspace/index.js'
import { readImage } from './image.js'
import { presentReadCall, presentReadResult } from './present.js'
import { toRange } from './range.js'
import { renderLines } from './render.js'

export const name = 'read'
export const inject = ['tools', 'files']

/** Registers the tool `read`. */
export function apply(ctx: Context): void {
  const { files } = ctx
  ctx.tools.register(
    defineTool({
      name: 'read',
      description:
        'Read a text file, or look at an image (PNG, JPEG, GIF, WebP). Text comes with line numbers, which are not part of ' +
        'the file. Long files come in parts: go on with offset.',
      parameters: {
        path: {
          type: 'string',
          required: true,
          description: 'The file; relative to the working directory, or absolute.',
        },
        offset: { type: 'integer', description: 'First line to read, counted from 1. Default: 1.' },
        limit: { type: 'integer', description: 'How many lines to read at most. Default: 2000.' },
      },
      async execute(args, exec) {
        const range = toRange(args)
        const found = await files.readLines(exec.agent, args.path, range, exec.signal)
        if (found.type.kind === 'binary') throw binaryFile(args.path, found.type.what, found)
        if (found.type.kind === 'image') return readImage(files, exec, args.path, found)
        const { body, facts } = renderLines(args.path, range, found)
        if (found.hash === undefined) return { content: [text(body)], meta: { path: found.path, ...facts } }
        files.markSeen(exec.agent?.sessionId, found.realPath, found.hash)
        const seen = [{ path: found.realPath, hash: found.hash }]
        return { content: [text(body)], meta: { path: found.path, ...facts, seen } }
      },
      presentCall: presentReadCall,
      presentResult: presentReadResult,
      effects: args => ({ reads: [args.path] }),
      isConcurrencySafe: () => true,
    }),
  )
}

function binaryFile(path: string, what: string, { sizeBytes }: FileLines): HarnessError {
  return new HarnessError(
    'BINARY_FILE',
    `${path} is ${what} (${formatBytes(sizeBytes)}), which cannot be shown as text. A command that knows the format may help.`,
  )
}
