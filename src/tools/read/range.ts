import { HarnessError } from '../../cards/index.js'
import type { LineRange } from '../../workspace/index.js'

const DEFAULT_LINES = 2000
const MAX_TEXT_BYTES = 64 * 1024
const MAX_LINE_BYTES = 4096

export interface ReadArgs {
  path: string
  offset?: number
  limit?: number
}

/** The lines that the arguments ask for, bounded. Throws INVALID_ARGS for what cannot be counted. */
export function toRange(args: ReadArgs): LineRange {
  const { limit = DEFAULT_LINES } = args
  const first = firstLine(args)
  if (first < 1) throw new HarnessError('INVALID_ARGS', `offset is ${args.offset}, but lines are counted from 1.`)
  if (limit < 1) throw new HarnessError('INVALID_ARGS', `limit is ${limit}, but at least 1 line must be read.`)
  return { first, count: limit, maxBytes: MAX_TEXT_BYTES, maxLineBytes: MAX_LINE_BYTES }
}

/** First line asked for. Zero means the first: many count from there. */
export function firstLine(args: ReadArgs): number {
  return args.offset === undefined || args.offset === 0 ? 1 : args.offset
}
