import { isAbsolute, resolve } from 'node:path'
import type { Context } from 'cordis'
import { HarnessError } from '../../cards/index.js'
import { defineTool, failedResult, type ToolAgent } from '../../registry/index.js'
import { checkDirectory, findShell } from '../../workspace/index.js'
import { startInBackground } from './background.js'
import { checkLimits } from './limits.js'
import { MAX_TIMEOUT_MS, toNote, toOutput } from './outcome.js'
import { presentBashCall, presentBashResult } from './present.js'
import { runCommand } from './run-command.js'
import { SHELL_ENVIRONMENT, type ShellConfig, toShellCommand } from './shell.js'

export const name = 'bash'
export const inject = ['tools']

export interface BashConfig {
  shell?: ShellConfig
}

const DEFAULT_TIMEOUT_MS = 120_000

/** Registers the tool `bash`. */
export function apply(ctx: Context, { shell = {} }: BashConfig = {}): void {
  const isLoginShell = shell.login ?? false
  const tool = defineTool({
    name: 'bash',
    description:
      'Run a shell command and return its output and how it ended. Standard input is empty and there is no terminal, so use ' +
      'options that ask nothing. A non-zero exit code is an error. Of long output the head and the tail come back, 64 KiB in ' +
      'all. For what goes on for long or never ends by itself (a server, a watcher, a long build) use background.',
    parameters: {
      command: { type: 'string', required: true, description: 'The command; it may have several lines.' },
      description: { type: 'string', description: 'What the command does, as one short line for the user.' },
      timeout_ms: {
        type: 'integer',
        description: `Time limit in milliseconds, at most ${MAX_TIMEOUT_MS}. Default: ${DEFAULT_TIMEOUT_MS}; in the background none.`,
      },
      cwd: {
        type: 'string',
        description:
          'Directory to run in; relative to the working directory, or absolute. A cd in a command lasts for that call only.',
      },
      background: {
        type: 'boolean',
        description:
          'Start the command as a job and return at once with its id; the tool job then shows its output, waits for its ' +
          'end or kills it. It ends with the session. Default: false.',
      },
    },
    async execute(args, exec) {
      const shellCommand = toShellCommand(findShell(shell.path), args.command, isLoginShell)
      const place = { cwd: resolveCwd(exec.agent, args.cwd), env: SHELL_ENVIRONMENT }
      if (args.background) {
        const facts = { command: args.command, ...(args.timeout_ms !== undefined && { timeoutMs: args.timeout_ms }) }
        return startInBackground(ctx.get('jobs'), exec, shellCommand, place, facts)
      }
      // What the user typed runs until the user stops it.
      const timeoutMs = args.timeout_ms ?? (exec.agent?.origin === 'user' ? undefined : DEFAULT_TIMEOUT_MS)
      const run = await runCommand(exec, shellCommand, { ...place, timeoutMs })
      const note = toNote(run.end, { timeoutMs, isLoginShell, abortReason: exec.signal.reason })
      if (note !== undefined) exec.progress({ output: `${run.output.endsLine ? '' : '\n'}${note}\n` })
      return toOutput(run, note)
    },
    presentCall: presentBashCall,
    presentResult: presentBashResult,
    effects: args => ({ runs: args.command, ...(args.cwd === undefined ? {} : { runsIn: args.cwd }) }),
  })

  ctx.tools.register({
    ...tool,
    validate(args) {
      tool.validate?.(args)
      checkLimits(args)
    },
  })
  // Before the body: a command that has nowhere to run counts as never run, and nobody need be asked about it.
  ctx.on('tools/execute', async (exec, next) => {
    if (exec.name !== tool.name) return next()
    try {
      await checkDirectory(resolveCwd(exec.agent, exec.arguments.cwd))
    } catch (error) {
      return failedResult(exec.callId, error)
    }
    return next()
  })
}

function resolveCwd(agent: ToolAgent | undefined, cwd: unknown): string {
  const given = typeof cwd === 'string' ? cwd : ''
  if (agent) return resolve(agent.cwd, given)
  if (isAbsolute(given)) return given
  throw new HarnessError(
    'NO_WORKSPACE',
    'Without a session a command has no directory to run in: pass an absolute cwd.',
  )
}
