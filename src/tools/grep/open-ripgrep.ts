import type { Context } from 'cordis'
import type { ActiveExecution } from '../../registry/index.js'
import type { CandidateFinder } from './narrow.js'
import { Ripgrep } from './ripgrep.js'

/** Shorter ones are in nearly every file. */
const MIN_LITERAL_BYTES = 3

export interface RipgrepUse {
  exec: ActiveExecution
  literals: readonly string[] | undefined
  ignoreCase: boolean
  /** Absolute path of the program, if it is installed. */
  program: string | undefined
}

/**
 * Ripgrep for one search; undefined if it cannot help. A program inside the session's workspace is not run: what writes
 * there could have changed it.
 */
export async function openRipgrep(ctx: Context, use: RipgrepUse): Promise<CandidateFinder | undefined> {
  const { exec, literals, ignoreCase, program } = use
  if (program === undefined || exec.agent === undefined) return undefined
  if (literals === undefined || literals.some(literal => Buffer.byteLength(literal) < MIN_LITERAL_BYTES))
    return undefined
  if ((await ctx.files.resolve(exec.agent, program)).inside) return undefined
  return new Ripgrep({
    program,
    launch: exec.launch,
    literals,
    ignoreCase,
    signal: exec.signal,
    debug: problem => ctx.logger('grep').debug('%s', problem),
  })
}
