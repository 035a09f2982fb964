import { formatCommand } from '../format-command.js'
import type { SampleRun, StopPoint } from '../run-sample.js'
import { labelOf } from '../show.js'

/** A stopped call ends by itself within the grace, and its processes with it. */
export function abortProblems(
  { sample, body, stillRunning, result }: SampleRun,
  at: StopPoint,
  graceMs: number,
): string[] {
  const when = at === 'start' ? 'stopped as soon as it has started' : 'stopped at the first thing it does'
  const label = `${labelOf(sample)}: ${when},`
  if (body === 'running') {
    const advice =
      'Pass exec.signal on, or listen for its abort and look at signal.aborted too: it may have fired already.'
    return [`${label} execute does not end within ${graceMs} ms. ${advice}`]
  }
  // A call that succeeds may have started something that goes on.
  if (!result.isError) return []
  return stillRunning.map(
    command => `${label} it leaves \`${formatCommand(command)}\` running: call kill() of what exec.launch gave.`,
  )
}
