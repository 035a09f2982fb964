import { oneLine } from '../../cards/index.js'
import type { Job, JobEnd } from '../../workspace/index.js'

const MAX_COMMAND_CHARS = 120

/** `exit code 3`, `ended by SIGTERM`. */
export function toEndText({ exitCode, signal }: Pick<JobEnd, 'exitCode' | 'signal'>): string {
  if (signal !== undefined) return `ended by ${signal}`
  return exitCode === undefined ? 'ended' : `exit code ${exitCode}`
}

/** One line for each job. */
export function toListText(jobs: readonly Job[]): string {
  if (jobs.length === 0) return 'This session has no jobs.'
  return jobs
    .map(({ id, end, runtimeMs, command }) => {
      const state = end
        ? `${end.timedOut ? 'timed out' : end.killed ? 'killed' : toEndText(end)} after ${toDuration(runtimeMs)}`
        : `running for ${toDuration(runtimeMs)}`
      return `${id}  ${state}  ${oneLine(command, MAX_COMMAND_CHARS)}`
    })
    .join('\n')
}

/** `0.3 s`, `12 s`, `3 min`, `2 h`. */
export function toDuration(ms: number): string {
  if (ms < 9950) return `${Math.round(ms / 100) / 10} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
