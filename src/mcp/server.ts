import type { Config } from '../config/index.js'

/** How long a call may go without a sign of life, if the config does not say. */
const CALL_LIMIT_MS = 10 * 60_000
const MAX_SERVERS = 64

interface ServerOf {
  /** As the editor or the config calls it. */
  readonly name: string
  readonly source: 'editor' | 'config'
  /** The user's own config says that what the server says of its tools counts. Never true for an editor's. */
  readonly trusted: boolean
  /** A call may go so long without a result or progress. */
  readonly callLimitMs: number
}

/** A server to run, or to reach. */
export type McpServer = ServerOf &
  (
    | {
        readonly type: 'stdio'
        readonly command: string
        readonly args: readonly string[]
        /** Set over the inherited environment. */
        readonly env: Readonly<Record<string, string>>
        /** Default: the session's. */
        readonly cwd?: string
      }
    | {
        readonly type: 'http' | 'sse'
        readonly url: string
        readonly headers: readonly (readonly [name: string, value: string])[]
      }
  )

/** A server as an editor names it for a session. */
export type SessionServer =
  | { type: 'stdio'; name: string; command: string; args: readonly string[]; env: Readonly<Record<string, string>> }
  | { type: 'http' | 'sse'; name: string; url: string; headers: readonly (readonly [string, string])[] }

/** The servers of a session, and what its thread is told of them. */
export interface ServerList {
  readonly servers: readonly McpServer[]
  readonly notes: readonly string[]
}

/** The editor's servers and the user's own; of two with one name the editor's counts, and a line says so. */
export function toServerList(session: readonly SessionServer[], config: Config['mcpServers']): ServerList {
  const servers = new Map<string, McpServer>()
  const notes: string[] = []
  for (const server of session) {
    if (servers.has(server.name)) notes.push(`The editor names two MCP servers ${server.name}: the first counts.`)
    else servers.set(server.name, { ...server, source: 'editor', trusted: false, callLimitMs: CALL_LIMIT_MS })
  }
  for (const server of toConfigServers(config)) {
    const { name } = server
    if (servers.has(name)) notes.push(`The MCP server ${name} of your config is left out: the editor names one too.`)
    else servers.set(name, server)
  }
  if (servers.size > MAX_SERVERS) notes.push(`Only ${MAX_SERVERS} of ${servers.size} MCP servers are started.`)
  return { servers: [...servers.values()].slice(0, MAX_SERVERS), notes }
}

function toConfigServers(config: Config['mcpServers']): McpServer[] {
  return Object.entries(config).flatMap(
    ([name, { command, args, env, cwd, url, type, headers, ...settings }]): McpServer[] => {
      if (settings.disabled) return []
      const { trusted, timeoutMs: callLimitMs = CALL_LIMIT_MS } = settings
      const common = { name, source: 'config', trusted, callLimitMs } as const
      if (url !== undefined) {
        return [{ ...common, type: type === 'sse' ? 'sse' : 'http', url, headers: Object.entries(headers) }]
      }
      return command === undefined ? [] : [{ ...common, type: 'stdio', command, args, env, ...(cwd ? { cwd } : {}) }]
    },
  )
}

/**
 * What a server is besides its name: its command line and what its environment adds, or its address. Headers are no part of
 * it: they hold keys that change, and the address stays. May hold secrets: what is kept of it is a hash.
 */
export function toIdentity(server: McpServer): string {
  if (server.type !== 'stdio') return server.url
  const command = [server.command, ...server.args]
  const env = Object.entries(server.env).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(env.length === 0 ? command : [command, env])
}
