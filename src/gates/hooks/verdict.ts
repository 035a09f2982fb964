import { headAndTail } from '../../cards/index.js'
import type { HookRun } from './run-hook.js'

/** What a hook says: that the call must not go on, and words for the model. */
export interface HookVerdict {
  readonly denied?: { readonly reason: string }
  readonly context?: string
}

/** A hook that did not work, and how. */
export interface BrokenHook {
  readonly broken: string
}

const DENIED_EXIT = 2
const MAX_WORDS_BYTES = 16 * 1024
const MAX_CAUSE_BYTES = 300

/**
 * Reads a hook's answer. Exit 2 denies, and what it wrote to stderr is the reason; on exit 0 an output that is a JSON object
 * is its answer, other output says nothing. All else is broken.
 */
export function toVerdict(run: HookRun): HookVerdict | BrokenHook {
  if (run.failure !== undefined) return { broken: run.failure }
  const { exit, stdout, stderr, isCut } = run
  if (exit.exitCode !== 0 && exit.exitCode !== DENIED_EXIT) {
    const how = exit.signal === undefined ? `exit code ${exit.exitCode ?? 'unknown'}` : exit.signal
    const words = headAndTail(stderr.trim(), MAX_CAUSE_BYTES)
    return { broken: `it ended by ${how}${words === '' ? '' : `: ${words}`}` }
  }
  const answer = stdout.trimStart().startsWith('{') ? parseAnswer(stdout, isCut) : {}
  if ('broken' in answer && exit.exitCode === 0) return answer
  const said = 'broken' in answer ? {} : answer
  const context = said.context === undefined ? {} : { context: headAndTail(said.context, MAX_WORDS_BYTES) }
  if (exit.exitCode !== DENIED_EXIT && said.decision !== 'deny') return context
  const reason = headAndTail((said.reason ?? stderr).trim(), MAX_WORDS_BYTES)
  return { ...context, denied: { reason: reason === '' ? 'It gave no reason.' : reason } }
}

interface HookAnswer {
  decision?: 'allow' | 'deny'
  reason?: string
  context?: string
}

function parseAnswer(stdout: string, isCut: boolean): HookAnswer | BrokenHook {
  if (isCut) return { broken: 'it wrote more than 64 KiB' }
  let value: unknown
  try {
    value = JSON.parse(stdout)
  } catch {
    return { broken: 'what it wrote begins like JSON and is none' }
  }
  const { decision, reason, context } = value as Record<string, unknown>
  if (decision !== undefined && decision !== 'allow' && decision !== 'deny') {
    return {
      broken: `its decision must be "allow" or "deny", not ${headAndTail(JSON.stringify(decision), MAX_CAUSE_BYTES)}`,
    }
  }
  const isText = (words: unknown): words is string | undefined => words === undefined || typeof words === 'string'
  if (!isText(reason)) return { broken: 'its reason must be text' }
  if (!isText(context)) return { broken: 'its context must be text' }
  return {
    ...(decision && { decision }),
    ...(reason !== undefined && { reason }),
    ...(context !== undefined && { context }),
  }
}
