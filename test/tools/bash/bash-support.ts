import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { type ToolAgent, type ToolExecution, ToolRegistry } from '../../../src/registry/index.js'
import * as bash from '../../../src/tools/bash/index.js'
import { launcherPlugin } from '../../../src/workspace/index.js'

export const programs = join(import.meta.dirname, '../../../fixtures/programs')

export interface Bash {
  ctx: Context
  /** A real path. */
  cwd: string
  agent: ToolAgent
  run(args: Record<string, unknown>, more?: Partial<ToolExecution>): Promise<Run>
  close(): Promise<void>
}

export interface Run {
  result: Awaited<ReturnType<ToolRegistry['execute']>>
  /** What the model reads. */
  text: string
  /** What went to the terminal, each report decoded alone. */
  terminal: string
  /** False if the body never ran. */
  started: boolean
}

/** The tool in a directory of its own, called by a model unless told otherwise. */
export async function startBash(config: bash.BashConfig = {}): Promise<Bash> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'bash-')))
  const ctx = new Context()
  await ctx.plugin(launcherPlugin)
  await ctx.plugin(ToolRegistry)
  await ctx.plugin(bash, config)
  const agent: ToolAgent = { sessionId: 's1', cwd, roots: [cwd], origin: 'model' }
  let calls = 0
  return {
    ctx,
    cwd,
    agent,
    async run(args, more) {
      let terminal = ''
      let started = false
      const result = await ctx.tools.execute({
        callId: `c${++calls}`,
        name: 'bash',
        arguments: args,
        agent,
        onStart: () => {
          started = true
        },
        onProgress: progress => {
          if ('output' in progress) terminal += Buffer.from(progress.output).toString()
        },
        ...more,
      })
      const text = result.content.map(block => (block.type === 'text' ? block.text : '')).join('')
      return { result, text, terminal, started }
    },
    async close() {
      await ctx.fiber.dispose()
      rmSync(cwd, { recursive: true })
    },
  }
}
