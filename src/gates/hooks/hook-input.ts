import type { ActiveExecution, ToolEffects, ToolExecutionResult } from '../../registry/index.js'

/** The JSON that a hook reads on its standard input. */
export function toHookInput(
  event: 'before' | 'after',
  exec: ActiveExecution,
  effects: ToolEffects | undefined,
  result?: ToolExecutionResult,
): string {
  const { agent } = exec
  return `${JSON.stringify({
    event,
    callId: exec.callId,
    tool: exec.name,
    // null: the tool declares nothing and may do anything.
    effects: effects ?? null,
    arguments: exec.arguments,
    ...(agent && {
      session: agent.sessionId,
      ...(agent.turnId !== undefined && { turn: agent.turnId }),
      cwd: agent.cwd,
      roots: agent.roots,
      origin: agent.origin,
    }),
    ...(result && {
      result: {
        isError: result.isError,
        ...(result.error && { code: result.error.code }),
        content: result.content,
        ...(result.meta !== undefined && { meta: result.meta }),
      },
    }),
  })}\n`
}
