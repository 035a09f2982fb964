import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import { text } from '../../../src/cards/index.js'
import type { HookOptions } from '../../../src/gates/hooks/index.js'
import * as hooksGate from '../../../src/gates/hooks/index.js'
import {
  type ApprovalAnswer,
  type ToolAgent,
  type ToolDefinition,
  type ToolExecutionResult,
  ToolRegistry,
} from '../../../src/registry/index.js'
import { launcherPlugin } from '../../../src/workspace/index.js'
import { textOf } from '../../registry/support.js'

export interface Stage {
  ctx: Context
  dir: string
  agent: ToolAgent
  /** Calls whose body ran. */
  ran: string[]
  /** Lines for the user's thread. */
  notes: string[]
  call(tool: string, args?: unknown, signal?: AbortSignal): Promise<ToolExecutionResult & { text: string }>
}

/** Tools `change` (writes), `look` (reads), `anything` (declares nothing) and `fail`, behind the hooks. */
export async function openStage(hooks: readonly HookOptions[]): Promise<Stage> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hooks-')))
  const ctx = new Context()
  onTestFinished(async () => {
    await ctx.fiber.dispose()
    rmSync(dir, { recursive: true, force: true })
  })
  const notes: string[] = []
  const ran: string[] = []
  await ctx.plugin(launcherPlugin)
  await ctx.plugin(ToolRegistry)
  const approver = {
    ask: async (): Promise<ApprovalAnswer> => 'allow_once',
    note: (_agent: ToolAgent, words: string) => void notes.push(words),
  }
  await ctx.plugin({ name: 'approver', apply: (inner: Context) => void inner.provide('approver', approver) })
  await ctx.plugin(hooksGate, { hooks })
  const register = (name: string, parts: Partial<ToolDefinition>) =>
    ctx.tools.register({
      name,
      description: '',
      parameters: { type: 'object' },
      async execute() {
        ran.push(name)
        return { content: [text('done')], meta: { kept: true } }
      },
      ...parts,
    })
  register('change', { effects: () => ({ writes: ['a.txt'] }) })
  register('look', { effects: () => ({ reads: ['a.txt'] }) })
  register('anything', {})
  register('fail', {
    effects: () => ({ runs: 'false' }),
    async execute() {
      throw new Error('it broke')
    },
  })
  const agent: ToolAgent = { sessionId: 's1', cwd: dir, roots: [dir], origin: 'model', turnId: 't1' }
  let calls = 0
  return {
    ctx,
    dir,
    agent,
    ran,
    notes,
    async call(name, args = {}, signal) {
      const callId = `c${++calls}`
      const result = await ctx.tools.execute({ callId, name, arguments: args, agent, ...(signal && { signal }) })
      return { ...result, text: textOf(result) }
    },
  }
}
