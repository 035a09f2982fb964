import { type CollectedOutput, type ErrorCode, leftOutMarker, text, toModelText } from '../../cards/index.js'
import { type ActiveExecution, ToolError, type ToolOutput } from '../../registry/index.js'
import type { Job, JobEnd } from '../../workspace/index.js'
import { toDuration, toEndText } from './wording.js'

/** What the job has printed so far and, if it is over, how it ended. Fails as the command did. */
export function showOutput(job: Job, exec: ActiveExecution): ToolOutput {
  exec.progress({ output: toTerminalText(job.output()) })
  return finish(job, exec, job.end ? undefined : '[still running]')
}

/** The same at the job's end, shown as it comes. The job goes on if the time is over first, or the call is stopped. */
export async function waitForEnd(job: Job, exec: ActiveExecution, waitMs: number): Promise<ToolOutput> {
  const { signal } = exec
  exec.progress({ output: toTerminalText(job.output()) })
  const unfollow = job.follow(bytes => exec.progress({ output: bytes }))
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, waitMs)
    onAbort = resolve
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) resolve()
  })
  await Promise.race([job.ended, over])
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
  unfollow()
  if (job.end) return finish(job, exec, undefined)
  if (!signal.aborted) {
    return finish(job, exec, `[still running after a wait of ${toDuration(waitMs)}: wait again, or kill it]`)
  }
  const { content, meta } = finish(job, exec, '[no longer waited for; the job goes on]')
  throw new ToolError('ABORTED', `The wait for ${job.id} was stopped; the job goes on.`, { content, meta })
}

/** Throws COMMAND_FAILED or TIMED_OUT for a job that failed. */
function finish(job: Job, exec: ActiveExecution, note: string | undefined) {
  const output = job.output()
  const { id, command, end, timeoutMs } = job
  const stop = end && toStopNote(end, timeoutMs)
  const own = note ?? stop
  if (own !== undefined) exec.progress({ output: `${output.totalBytes === 0 || output.endsLine ? '' : '\n'}${own}\n` })
  const failure = end && toFailure(end)
  const status = failure?.code === 'COMMAND_FAILED' ? `[${failure.message}]` : undefined
  const content = [
    text(
      toModelText(
        output,
        [status, own].filter(line => line !== undefined),
      ),
    ),
  ]
  const meta = {
    job: id,
    command,
    ...(end ?? { running: true }),
    outputBytes: output.totalBytes,
    ...(output.leftOutBytes > 0 && { leftOutBytes: output.leftOutBytes }),
  }
  if (failure) throw new ToolError(failure.code, failure.message, { content, meta })
  return { content, meta }
}

function toStopNote(end: JobEnd, timeoutMs: number | undefined): string | undefined {
  if (end.timedOut) return `[timed out after ${toDuration(timeoutMs ?? 0)}]`
  return end.killed ? '[killed]' : undefined
}

function toFailure(end: JobEnd): { code: ErrorCode; message: string } | undefined {
  if (end.timedOut) return { code: 'TIMED_OUT', message: 'timed out' }
  if (end.signal === undefined && end.exitCode === 0) return undefined
  return { code: 'COMMAND_FAILED', message: toEndText(end) }
}

function toTerminalText({ head, tail, leftOutBytes }: CollectedOutput): string {
  if (leftOutBytes === 0) return head
  return `${head}${head.endsWith('\n') ? '' : '\n'}${leftOutMarker(leftOutBytes)}\n${tail}`
}
