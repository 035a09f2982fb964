import type { McpServer } from '@agentclientprotocol/sdk'
import type { SessionServer } from '../../mcp/index.js'

/** The editor's servers; one of a kind that is not served is left out. */
export function fromMcpServers(servers: readonly McpServer[] | null | undefined): SessionServer[] {
  return (servers ?? []).flatMap((server): SessionServer[] => {
    if ('command' in server) {
      const { name, command, args, env } = server
      return [
        {
          type: 'stdio',
          name,
          command,
          args,
          env: Object.fromEntries(env.map(({ name: key, value }) => [key, value])),
        },
      ]
    }
    if (server.type !== 'http' && server.type !== 'sse') return []
    const { type, name, url, headers } = server
    return [{ type, name, url, headers: headers.map(({ name: key, value }) => [key, value] as const) }]
  })
}
