import type { Context } from 'cordis'
import { HarnessError } from '../../cards/index.js'
import type { ActiveExecution } from '../../registry/index.js'
import type { SessionCommand } from './outside-answers.js'
import type { SandboxService } from './sandbox-service.js'

const ALWAYS = 'Run exactly this command without the sandbox in this session'

/** Asks the user whether a command that failed in the sandbox may run without it. Throws REFUSED, ABORTED_BEFORE_DISPATCH. */
export async function askOutside(
  ctx: Context,
  sandbox: SandboxService,
  exec: ActiveExecution,
  command: SessionCommand,
): Promise<void> {
  const answer = await ctx.get('approver')?.ask({
    exec,
    reason: 'It failed in the sandbox. Run it without: with the network, with your secrets, and writing anywhere?',
    always: ALWAYS,
    signal: exec.signal,
  })
  switch (answer) {
    case 'allow_always':
      sandbox.answers.set(command, 'outside')
      return
    case 'allow_once':
      sandbox.answers.delete(command)
      return
    case 'cancelled':
      throw new HarnessError('ABORTED_BEFORE_DISPATCH', 'The call was stopped while it waited for an answer.')
    case 'reject_always':
      sandbox.answers.set(command, 'inside')
      break
    default:
      sandbox.answers.delete(command)
  }
  throw new HarnessError('REFUSED', 'The user refused to let this command run without the sandbox. It was not run.')
}
