import type { Transport } from '@modelcontextprotocol/client'
import type { Fetch } from '../../network/index.js'
import type { Launcher } from '../../registry/index.js'
import type { McpServer } from '../server.js'
import { boundedFetch } from './bounded-fetch.js'
import type { ServerLog } from './server-log.js'
import { StdioTransport } from './stdio-transport.js'

export interface TransportOptions {
  readonly server: McpServer
  readonly sessionId: string
  /** Absolute. */
  readonly cwd: string
  readonly launcher: Launcher
  readonly fetch: Fetch
  readonly log: ServerLog
}

export interface OpenedTransport {
  readonly transport: Transport
  /** How the connection ended, in words; undefined if that is not known. */
  end(): string | undefined
}

/** The way to a server. `onBroken`: an answer broke off, so the connection is of no use any more. Nothing is started yet. */
export async function openTransport(
  options: TransportOptions,
  onBroken: (reason: string) => void,
): Promise<OpenedTransport> {
  const { server } = options
  if (server.type === 'stdio') {
    const transport = new StdioTransport({ ...options, server })
    return { transport, end: () => transport.end }
  }
  let end: string | undefined
  const fetch = boundedFetch(options.fetch, reason => {
    end = `the answer broke off: ${reason}`
    onBroken(end)
  })
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const Remote = server.type === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport
  const headers = server.headers.map(([name, value]): [string, string] => [name, value])
  const transport = new Remote(new URL(server.url), { fetch, requestInit: { headers } })
  return { transport, end: () => end }
}
