import { homedir } from 'node:os'
import type { Context } from 'cordis'
import { HarnessError, type JsonValue, text } from '../../cards/index.js'
import { type ActiveExecution, failedResult, type ToolExecutionResult } from '../../registry/index.js'
import { askOutside } from './ask-outside.js'
import type { Backend } from './detect.js'
import { type HeldProcess, holdLaunch } from './held-launch.js'
import { makePlan } from './make-plan.js'
import type { SandboxOptions } from './options.js'
import { type SandboxReport, toReport } from './report.js'
import type { SandboxService } from './sandbox-service.js'
import { watchSteering } from './steering-watch.js'
import { findSystemPlaces } from './system-places.js'
import type { TemporaryFolders } from './temporary-folders.js'
import { WorkspaceScans } from './workspace-scans.js'

const NEWLINE = 0x0a

type Next = () => Promise<ToolExecutionResult>

/** The listener of tools/execute that makes what a call launches run in the sandbox. */
export function createGate(
  ctx: Context,
  options: SandboxOptions,
  sandbox: SandboxService,
  temporaryFolders: TemporaryFolders,
): (exec: ActiveExecution, next: Next) => Promise<ToolExecutionResult> {
  const { forSession } = ctx.tools
  const scans = new WorkspaceScans()
  const around = { home: homedir(), env: process.env, isRoot: process.getuid?.() === 0 }
  const places = findSystemPlaces(around.isRoot)
  const told = new Set<string>()

  return async (exec, next) => {
    if (!sandbox.covers(exec.agent)) return next()
    const effects = forSession(exec.agent?.sessionId).effects(exec.name, exec.arguments)
    // A tool that declares nothing may start anything.
    if (effects !== undefined && effects.runs === undefined) return next()
    const { backend } = sandbox
    if (backend === undefined) return runUnheld(exec, next, effects?.runs !== undefined)
    const command = sandbox.commandOf(exec)
    if (command !== undefined) {
      try {
        if (sandbox.mustAsk(exec)) {
          await askOutside(ctx, sandbox, exec, command)
          return next()
        }
      } catch (error) {
        return failedResult(exec.callId, error)
      }
      if (sandbox.answers.get(command) === 'outside') return next()
    }
    return runHeld(exec, next, backend)
  }

  function runUnheld(
    exec: ActiveExecution,
    next: Next,
    isCommand: boolean,
  ): Promise<ToolExecutionResult> | ToolExecutionResult {
    const problem = sandbox.problem ?? ''
    if (sandbox.mode !== 'required') {
      noteOnce(exec, `Commands run without a sandbox: ${problem}`)
      return next()
    }
    const error = new HarnessError('SANDBOX_UNAVAILABLE', `Commands must run in a sandbox. ${problem}`)
    if (isCommand) return failedResult(exec.callId, error)
    exec.launch = () => Promise.reject(error)
    return next()
  }

  async function runHeld(exec: ActiveExecution, next: Next, backend: Backend): Promise<ToolExecutionResult> {
    const { agent } = exec
    const held = holdLaunch(exec.launch, backend, async ([program], { cwd }) =>
      makePlan({
        roots: agent?.roots ?? [cwd],
        cwd,
        program,
        options,
        around,
        places: await places,
        temporaryFolder: () => temporaryFolders.get(agent?.sessionId ?? ''),
        scan: root => scans.get(root),
      }),
    )
    exec.launch = held.launch
    const listMade = await watchSteering(agent?.roots ?? [])
    const result = await next()
    if (held.processes.length === 0) return result
    const made = await listMade()
    if (made.length > 0) scans.forget()
    const command = sandbox.commandOf(exec)
    const isAskable =
      command !== undefined && ctx.get('approver') !== undefined && sandbox.answers.get(command) !== 'inside'
    const report = toReport({
      processes: held.processes,
      isError: result.isError,
      isNetworkOpen: options.network === true,
      advice: toAdvice(exec, isAskable),
      made,
      cwd: agent?.cwd,
    })
    if (report === undefined) return result
    if (report.isSuspect && isAskable) sandbox.answers.set(command, 'failed')
    if (forSession(agent?.sessionId).presentCall(exec.name, exec.arguments)?.card === 'terminal') {
      exec.progress({ output: toTerminalLines(report.notes, held.processes) })
    }
    return withReport(result, report)
  }

  function noteOnce(exec: ActiveExecution, words: string): void {
    const { agent } = exec
    if (agent === undefined || told.has(agent.sessionId)) return
    told.add(agent.sessionId)
    ctx.get('approver')?.note(agent, words)
  }
}

function toAdvice({ agent }: ActiveExecution, isAskable: boolean): string | undefined {
  if (isAskable)
    return 'if it needs more, call the tool again with exactly this command: the user is then asked to let it run without the sandbox'
  if (agent?.origin === 'model') return undefined
  return 'sandbox.userCommands: false in the config file lets what you type run without it'
}

function toTerminalLines(notes: readonly string[], processes: readonly HeldProcess[]): string {
  const last = processes.at(-1)?.tail.read()
  const isInLine = last !== undefined && last.length > 0 && last.at(-1) !== NEWLINE
  return `${isInLine ? '\n' : ''}${notes.join('\n')}\n`
}

function withReport(result: ToolExecutionResult, { notes, meta }: SandboxReport): ToolExecutionResult {
  const content = [...result.content, text(notes.join('\n'))]
  const own = result.meta ?? {}
  // A meta of another shape is the tool's alone.
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return { ...result, content }
  const merged: JsonValue = { ...own, sandbox: meta }
  return { ...result, content, meta: merged }
}
