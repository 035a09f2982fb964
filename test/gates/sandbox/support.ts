import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import * as sandbox from '../../../src/gates/sandbox/index.js'
import type { ApprovalAnswer, ApprovalQuestion, ToolAgent, ToolExecutionResult } from '../../../src/registry/index.js'
import { ToolRegistry } from '../../../src/registry/index.js'
import * as bash from '../../../src/tools/bash/index.js'
import { launcherPlugin } from '../../../src/workspace/index.js'

export interface Cell {
  ctx: Context
  /** A real path; the agent's cwd and only root. */
  dir: string
  agent: ToolAgent
  /** What the user was asked, and told. */
  questions: ApprovalQuestion[]
  notes: string[]
  run(command: string, parts?: { agent?: ToolAgent | null; cwd?: string; signal?: AbortSignal }): Promise<CellRun>
}

export interface CellRun extends ToolExecutionResult {
  /** What the model reads. */
  text: string
  terminal: string
  started: boolean
}

export interface CellOptions extends sandbox.SandboxOptions {
  /** Absent: nobody can be asked. */
  answer?: () => ApprovalAnswer
}

/** A temporary folder without links, gone when the test ends. */
export function openFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'sandbox-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The command tool behind the gate, in a workspace of its own; the sandbox is required unless told otherwise. */
export async function openCell({ answer, ...options }: CellOptions = {}, dir = openFolder()): Promise<Cell> {
  const ctx = new Context()
  onTestFinished(() => ctx.fiber.dispose())
  const questions: ApprovalQuestion[] = []
  const notes: string[] = []
  await ctx.plugin(launcherPlugin)
  await ctx.plugin(ToolRegistry)
  if (answer) {
    const approver = {
      ask: async (question: ApprovalQuestion) => {
        questions.push(question)
        return answer()
      },
      note: (_agent: ToolAgent, text: string) => void notes.push(text),
    }
    await ctx.plugin({ name: 'approver', apply: (inner: Context) => void inner.provide('approver', approver) })
  }
  await ctx.plugin(sandbox, { mode: 'required', ...options })
  await ctx.plugin(bash)
  const agent: ToolAgent = { sessionId: 's1', cwd: dir, roots: [dir], origin: 'model' }
  let calls = 0
  return {
    ctx,
    dir,
    agent,
    questions,
    notes,
    async run(command, parts = {}) {
      let terminal = ''
      let started = false
      const result = await ctx.tools.execute({
        callId: `c${++calls}`,
        name: 'bash',
        arguments: { command, ...(parts.cwd !== undefined && { cwd: parts.cwd }) },
        agent: parts.agent === null ? undefined : (parts.agent ?? agent),
        ...(parts.signal && { signal: parts.signal }),
        onStart: () => {
          started = true
        },
        onProgress: progress => {
          if ('output' in progress) terminal += Buffer.from(progress.output).toString()
        },
      })
      const text = result.content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
      return { ...result, text, terminal, started }
    },
  }
}
