import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import type { SandboxOptions } from '../../../src/gates/sandbox/index.js'
import * as sandbox from '../../../src/gates/sandbox/index.js'
import type { ApprovalAnswer, ApprovalQuestion, ToolAgent, ToolExecutionResult } from '../../../src/registry/index.js'
import { ToolRegistry } from '../../../src/registry/index.js'
import * as bash from '../../../src/tools/bash/index.js'
import { findProgram, launcherPlugin } from '../../../src/workspace/index.js'

/** Where it cannot be installed, the rest of the suite still says what it can. */
export const hasBubblewrap = process.platform === 'linux' && findProgram(['bwrap']) !== undefined

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

export interface CellOptions extends SandboxOptions {
  /** Absent: nobody can be asked. */
  answer?: () => ApprovalAnswer
  /** The user's home directory; an empty one without it. */
  home?: string
}

const besideSources = resolve(import.meta.dirname, '../../../node_modules')

/** Not a place for temporary files, which the sandbox replaces by its own: this checkout may itself lie in one. */
export const elsewhere = /^\/(var\/)?tmp\//.test(realpathSync(besideSources)) ? homedir() : besideSources

/** A temporary folder without links, gone when the test ends. */
export function openFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'sandbox-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a server, gone when the test ends; answers its port. */
export async function listen(server: Server, at: number | string): Promise<number> {
  await new Promise<void>(resolve => server.listen(at, resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** PATH without the checkout's programs, which npm puts there: below a temporary folder they would have to be shown in the sandbox. */
export function plainPath(): string {
  const { PATH = '' } = process.env
  return PATH.split(delimiter)
    .filter(folder => !/node_modules[/\\]/.test(folder))
    .join(delimiter)
}

/** The command tool behind the gate, in a workspace of its own; the sandbox is required unless told otherwise. */
export async function openCell(
  { answer, home = openFolder(), ...options }: CellOptions = {},
  dir = openFolder(),
): Promise<Cell> {
  const { HOME, PATH = '' } = process.env
  process.env.HOME = home
  process.env.PATH = plainPath()
  onTestFinished(() => {
    process.env.HOME = HOME
    process.env.PATH = PATH
  })
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
