import { randomBytes } from 'node:crypto'
import type { Context } from 'cordis'
import { HarnessError } from '../cards/index.js'
import { Job, type JobFacts, type StartProcess } from './job.js'

declare module 'cordis' {
  interface Context {
    /** The processes that sessions have in the background. */
    jobs: Jobs
  }
}

/** Of one session, ended ones included: each keeps up to 64 KiB of output. */
const MAX_JOBS = 32

/** Provides the service `jobs`. Its processes are the launcher's, which ends them with their session. */
export const jobsPlugin = {
  name: 'jobs',
  apply(ctx: Context): void {
    ctx.provide('jobs', new Jobs())
  },
}

/** Jobs by session and id. */
class Jobs {
  readonly #sessions = new Map<string, Map<string, Job>>()

  /**
   * Starts a job. Throws TOO_MANY_JOBS if as many as are allowed run already; else the job that ended first makes room.
   * Rejects as `launch` does.
   */
  async start(sessionId: string, facts: JobFacts, launch: StartProcess): Promise<Job> {
    const jobs = this.#sessions.get(sessionId) ?? new Map<string, Job>()
    this.#sessions.set(sessionId, jobs)
    makeRoom(jobs)
    const job = new Job(newId(jobs), facts)
    // Before anything is awaited: what starts meanwhile counts.
    jobs.set(job.id, job)
    try {
      await job.start(launch)
    } catch (error) {
      jobs.delete(job.id)
      throw error
    }
    return job
  }

  /** In the order of their starts. */
  list(sessionId: string): Job[] {
    return [...(this.#sessions.get(sessionId)?.values() ?? [])]
  }

  /** Throws UNKNOWN_JOB. */
  get(sessionId: string, id: string): Job {
    const job = this.#sessions.get(sessionId)?.get(id)
    if (job) return job
    const known = this.list(sessionId).map(other => other.id)
    const advice = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`
    throw new HarnessError(
      'UNKNOWN_JOB',
      `This session has no job ${JSON.stringify(id.slice(0, 40))}. ${advice} Jobs end with their session and with the agent.`,
    )
  }

  /** Drops the jobs of a session that was closed; the launcher ends their processes. */
  forget(sessionId: string): void {
    this.#sessions.delete(sessionId)
  }
}

function makeRoom(jobs: Map<string, Job>): void {
  if (jobs.size < MAX_JOBS) return
  const ended = [...jobs.values()].find(job => job.end !== undefined)
  if (!ended) {
    const problem = `${MAX_JOBS} jobs run already, which is the most for a session. Kill one that is not needed any more.`
    throw new HarnessError('TOO_MANY_JOBS', problem)
  }
  jobs.delete(ended.id)
}

/** By chance, so that an id of an earlier process, which a model remembers, is not another job's now. */
function newId(jobs: ReadonlyMap<string, Job>): string {
  for (;;) {
    const id = `job-${randomBytes(2).toString('hex')}`
    if (!jobs.has(id)) return id
  }
}
