import type { Command } from '../../registry/index.js'

/**
 * The command as the system can start it. Elsewhere that is itself; on Windows `npx` and its like are scripts for cmd, which
 * needs quoting of its own. Untested on a real Windows.
 */
export async function toLaunchCommand(command: Command): Promise<{ command: Command; verbatimArguments: boolean }> {
  if (process.platform !== 'win32') return { command, verbatimArguments: false }
  const { default: spawn } = await import('cross-spawn')
  const [file, ...args] = command
  const parsed = spawn._parse(file, args)
  return {
    command: [parsed.command, ...parsed.args],
    verbatimArguments: parsed.options.windowsVerbatimArguments === true,
  }
}
