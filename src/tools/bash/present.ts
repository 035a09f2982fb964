import type { TerminalCallView, TerminalResultView } from '../../cards/index.js'
import type { ToolResult } from '../../registry/index.js'

export interface BashArguments {
  command: string
  description?: string
  cwd?: string
}

export function presentBashCall({ command, description, cwd }: BashArguments): TerminalCallView {
  return {
    card: 'terminal',
    title: command,
    ...(description !== undefined && { description }),
    ...(cwd !== undefined && { cwd }),
  }
}

/** Only how it ended: the output was streamed. Undefined if the command never ran. */
export function presentBashResult(_args: BashArguments, { meta }: ToolResult): TerminalResultView | undefined {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return undefined
  const { exitCode, signal } = meta
  return {
    card: 'terminal',
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof signal === 'string' && { signal }),
  }
}
