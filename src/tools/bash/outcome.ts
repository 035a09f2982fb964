import { type ErrorCode, isHarnessError, oneLine, text, toModelText } from '../../cards/index.js'
import { ToolError, type ToolOutput } from '../../registry/index.js'
import type { CommandEnd, CommandRun } from './run-command.js'

export const MAX_TIMEOUT_MS = 30 * 60 * 1000
const NOT_FOUND_EXIT = 127
const MAX_REASON_LENGTH = 200

export interface OutcomeContext {
  timeoutMs: number | undefined
  isLoginShell: boolean
  /** Of the call's signal, if it was aborted. */
  abortReason: unknown
}

/** A word of ours about the end, the last line of the card and of the model's text; undefined if the exit says it all. */
export function toNote(end: CommandEnd, context: OutcomeContext): string | undefined {
  if (end.timedOut) return timeoutNote(context.timeoutMs ?? 0)
  if (end.cancelled) {
    const { abortReason } = context
    // A gate that stops calls, for their time or their number, says so by its reason.
    const isGate = isHarnessError(abortReason) && !abortReason.code.startsWith('ABORTED')
    return `[${isGate ? oneLine(abortReason.message, MAX_REASON_LENGTH) : 'cancelled'}]`
  }
  if (end.exitCode === NOT_FOUND_EXIT && !context.isLoginShell) {
    return (
      '[command not found: if your own terminal finds it, set shell.login: true in the configuration, since an editor that ' +
      'was not started from a terminal passes a short PATH]'
    )
  }
  return undefined
}

function timeoutNote(timeoutMs: number): string {
  const limit = `timed out after ${timeoutMs / 1000} s`
  if (timeoutMs >= MAX_TIMEOUT_MS) return `[${limit}, the most that is allowed]`
  return `[${limit}; a longer timeout_ms, at most ${MAX_TIMEOUT_MS}, gives it more time]`
}

/** The result of a command that succeeded. Throws COMMAND_FAILED, TIMED_OUT or ABORTED with the same content otherwise. */
export function toOutput({ end, output }: CommandRun, note: string | undefined): ToolOutput {
  const failure = toFailure(end)
  const status = failure?.code === 'COMMAND_FAILED' ? `[${failure.message}]` : undefined
  const notes = [status, note].filter(line => line !== undefined)
  const content = [text(toModelText(output, notes))]
  const meta = {
    ...end,
    outputBytes: output.totalBytes,
    ...(output.leftOutBytes > 0 && { leftOutBytes: output.leftOutBytes }),
  }
  if (failure) throw new ToolError(failure.code, failure.message, { content, meta })
  return { content, meta }
}

function toFailure(end: CommandEnd): { code: ErrorCode; message: string } | undefined {
  if (end.timedOut) return { code: 'TIMED_OUT', message: 'timed out' }
  if (end.cancelled) return { code: 'ABORTED', message: 'cancelled' }
  if (end.signal !== undefined) return { code: 'COMMAND_FAILED', message: `ended by ${end.signal}` }
  return end.exitCode === 0 ? undefined : { code: 'COMMAND_FAILED', message: `exit code ${end.exitCode}` }
}
