import type { Context } from 'cordis'
import { HarnessError, text } from '../../cards/index.js'
import { type ActiveExecution, defineTool, ToolArgsError, type ToolOutput } from '../../registry/index.js'
import type { Job } from '../../workspace/index.js'
import { showOutput, waitForEnd } from './look.js'
import { presentJobCall, presentJobResult } from './present.js'
import { toEndText, toListText } from './wording.js'

export const name = 'job'
export const inject = ['tools', 'jobs']

const DEFAULT_WAIT_MS = 120_000
const MAX_WAIT_MS = 30 * 60_000

/** Registers the tool `job`, for the jobs of the call's own session. */
export function apply(ctx: Context): void {
  const tool = defineTool({
    name: 'job',
    description:
      'Look after the commands that bash has started with background: list them, show what one printed so far (output), ' +
      'wait until one ends (wait), or end one with all that it started (kill).',
    parameters: {
      action: { type: 'string', required: true, enum: ['list', 'output', 'wait', 'kill'] },
      id: { type: 'string', description: 'The job, as bash gave it; needed for all actions but list.' },
      timeout_ms: {
        type: 'integer',
        description: `How long to wait for the end, at most ${MAX_WAIT_MS}. Default: ${DEFAULT_WAIT_MS}. The job goes on after it.`,
      },
    },
    async execute({ action, id = '', timeout_ms: waitMs = DEFAULT_WAIT_MS }, exec) {
      if (action === 'list') return list(ctx.jobs.list(exec.agent?.sessionId ?? ''))
      const job = ctx.jobs.get(exec.agent?.sessionId ?? '', id)
      if (action === 'output') return showOutput(job, exec)
      return action === 'wait' ? waitForEnd(job, exec, waitMs) : kill(job, exec)
    },
    presentCall: presentJobCall,
    presentResult: presentJobResult,
    // Its reach is what the session itself has started, and each start was decided about.
    effects: () => ({}),
    isConcurrencySafe: ({ action }) => action !== 'kill',
  })
  ctx.tools.register({
    ...tool,
    validate(args) {
      tool.validate?.(args)
      checkLimits(args)
    },
  })
}

/** Throws INVALID_ARGS for what types cannot say. */
function checkLimits({ action, id, timeout_ms: waitMs }: Record<string, unknown>): void {
  const violations: string[] = []
  if (action !== 'list' && (typeof id !== 'string' || id === '')) {
    violations.push(`id: expected the id of a job for the action ${String(action)}; the action list names them`)
  }
  if (typeof waitMs === 'number' && (waitMs < 1 || waitMs > MAX_WAIT_MS)) {
    violations.push(`timeout_ms: expected 1 to ${MAX_WAIT_MS}, got ${waitMs}`)
  }
  if (violations.length > 0) throw new ToolArgsError('job', violations)
}

function list(jobs: readonly Job[]): ToolOutput {
  const running = jobs.filter(job => job.end === undefined).length
  return { content: [text(toListText(jobs))], meta: { running, ended: jobs.length - running } }
}

async function kill(job: Job, { signal }: ActiveExecution): Promise<ToolOutput> {
  if (signal.aborted) throw new HarnessError('ABORTED', 'The call was stopped; the job goes on.')
  const before = job.end
  if (before) return { content: [text(`${job.id} had ended already: ${toEndText(before)}.`)], meta: { job: job.id } }
  await job.kill()
  const { end } = job
  const outcome = end ? `${job.id} was killed: ${toEndText(end)}.` : `${job.id} was killed, but has not ended yet.`
  return { content: [text(outcome)], meta: { job: job.id } }
}
