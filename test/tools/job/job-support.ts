import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import type { ToolAgent, ToolExecution, ToolExecutionResult } from '../../../src/registry/index.js'
import * as bash from '../../../src/tools/bash/index.js'
import * as job from '../../../src/tools/job/index.js'
import { jobsPlugin, launcherPlugin } from '../../../src/workspace/index.js'
import { openWorkbench } from '../../support/workbench.js'

export interface Jobs {
  ctx: Context
  agent: ToolAgent
  /** Runs one call; `terminal` is what went to its card. */
  run(name: 'bash' | 'job', args: Record<string, unknown>, more?: Partial<ToolExecution>): Promise<Run>
  /** Starts `command` in the background; resolves to the job's id. */
  start(command: string, more?: Record<string, unknown>): Promise<string>
  /** Waits until the job has printed `words`. */
  printed(id: string, words: string): Promise<void>
}

export interface Run {
  result: ToolExecutionResult
  text: string
  terminal: string
  code: string | undefined
}

/** The tools bash and job over a temporary directory; all that they start is gone when the test ends. */
export async function openJobs(): Promise<Jobs> {
  const { ctx, agent } = await openWorkbench(launcherPlugin, jobsPlugin, bash, job)
  onTestFinished(() => ctx.launcher.release(agent.sessionId))
  let calls = 0

  const run: Jobs['run'] = async (name, args, more) => {
    let terminal = ''
    const result = await ctx.tools.execute({
      callId: `c${++calls}`,
      name,
      arguments: args,
      agent,
      onProgress: progress => {
        if ('output' in progress) terminal += Buffer.from(progress.output).toString()
      },
      ...more,
    })
    const text = result.content.map(block => (block.type === 'text' ? block.text : '')).join('')
    return { result, text, terminal, code: result.error?.code }
  }

  return {
    ctx,
    agent,
    run,
    async start(command, more) {
      const { result } = await run('bash', { command, background: true, ...more })
      return (result.meta as { job: string }).job
    },
    async printed(id, words) {
      for (let tries = 0; tries < 500; tries++) {
        if ((await run('job', { action: 'output', id })).text.includes(words)) return
        await wait(10)
      }
      throw new Error(`${id} did not print ${words}`)
    },
  }
}
