import { isAbsolute, resolve } from 'node:path'
import type { Config } from '../config/index.js'
import { findProgram } from '../workspace/index.js'

type ConfiguredServer = Config['mcpServers'][string]

/**
 * Why the program of a configured server cannot be started in the environment `inherited`; undefined if nothing speaks
 * against it, or if only a thread can tell, whose folder a relative path starts from. Starts nothing.
 */
export function findMissingProgram(
  { command, env, cwd, disabled }: ConfiguredServer,
  inherited: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (command === undefined || disabled) return undefined
  const isPath = process.platform === 'win32' ? /[\\/]/.test(command) : command.includes('/')
  if (isPath && !isAbsolute(command) && (cwd === undefined || !isAbsolute(cwd))) return undefined
  const program = isPath && cwd !== undefined ? resolve(cwd, command) : command
  if (findProgram([program], { ...inherited, ...env }) !== undefined) return undefined
  return isPath ? `${program} is no program that can be run` : `${command} is not on the PATH`
}
