import type { Context } from 'cordis'
import { HarnessError, text } from '../../cards/index.js'
import type { ActiveExecution, Command, LaunchOptions, ToolOutput } from '../../registry/index.js'

interface Facts {
  command: string
  timeoutMs?: number
}

/** Starts a command as a job of the session and returns while it runs. */
export async function startInBackground(
  jobs: Context['jobs'] | undefined,
  exec: ActiveExecution,
  command: Command,
  place: Pick<LaunchOptions, 'cwd' | 'env'>,
  facts: Facts,
): Promise<ToolOutput> {
  const { agent, signal } = exec
  if (!agent || !jobs) {
    const problem = 'background needs a session: without one the job would end with this call. Leave it out.'
    throw new HarnessError('INVALID_ARGS', problem)
  }
  const job = await jobs.start(agent.sessionId, facts, onOutput => exec.launch(command, { ...place, onOutput }))
  if (signal.aborted) {
    await job.kill()
    throw new HarnessError('ABORTED', 'The call was stopped while the job started, and the job was killed.')
  }
  exec.progress({ output: `[runs in the background as ${job.id}]\n` })
  const limit =
    facts.timeoutMs === undefined ? 'when it is done, or with the session' : 'at its time limit at the latest'
  const advice =
    `Started in the background as ${job.id}. It ends ${limit}. Call the tool job with id ${job.id} and the action ` +
    'output (what it printed so far), wait (until it ends) or kill.'
  return { content: [text(advice)], meta: { job: job.id } }
}
