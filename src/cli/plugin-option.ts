import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'

/** `--plugin`, as often as there are plugins; the paths that `toPath` makes are absolute. */
export function pluginOption(description: string, toPath: (path: string) => string): Option {
  return new Option('--plugin <path>', `a plugin to load besides those of the config: ${description}; repeatable`)
    .argParser((path: string, earlier: string[] | undefined) => [...(earlier ?? []), toPath(path)])
    .default(undefined)
}

/**
 * The path of a plugin for the agent. An editor starts the agent where it likes, often in a repository: a relative path
 * would let that one bring the code.
 */
export function toAgentPluginPath(path: string): string {
  if (/^~[\\/]/.test(path)) return join(homedir(), path.slice(2))
  if (isAbsolute(path)) return path
  throw new InvalidArgumentError(
    'It must be an absolute path: an editor starts the agent in a folder of its own choice.',
  )
}
