import type { Config } from './config.js'
import type { SettingPath } from './describe-issue.js'

/**
 * The reading of a faulty config that loosens nothing: deny rules, ask rules and hooks that could be read hold; what is
 * allowed does not; `faulty` are the settings that could not be read.
 */
export function strictest(config: Config, faulty: readonly SettingPath[]): Config {
  const { permissions, sandbox, mcpServers } = config
  const isLost = (...names: string[]) => faulty.some(path => path.every((key, index) => key === names[index]))
  const closed = <T extends { allow: string[] }>(rules: T): T => ({ ...rules, allow: [] })
  return {
    ...config,
    strict: true,
    permissions: {
      mode: permissions.mode === 'plan' ? 'plan' : 'ask',
      userCommands: permissions.userCommands === 'off' ? 'off' : 'ask',
      commands: closed(permissions.commands),
      write: closed(permissions.write),
      read: closed(permissions.read),
      tools: closed(permissions.tools),
      hosts: closed(permissions.hosts),
    },
    mcpServers: Object.fromEntries(
      Object.entries(mcpServers).map(([name, server]) => [name, { ...server, trusted: false }]),
    ),
    sandbox: {
      ...sandbox,
      mode: isLost('sandbox', 'mode') ? 'auto' : sandbox.mode,
      network: false,
      write: [],
      read: [],
    },
  }
}
