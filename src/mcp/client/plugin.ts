import { resolve } from 'node:path'
import type { Context, Plugin } from 'cordis'
import { oneLine } from '../../cards/index.js'
import type { Fetch } from '../../network/index.js'
import type { McpServer } from '../server.js'
import { ServerLog } from './server-log.js'
import { ServerRun, type ServerRunOptions } from './server-run.js'
import { ToolList } from './tool-list.js'

export interface McpPluginOptions extends Pick<ServerRunOptions, 'slots' | 'failures' | 'note' | 'restartDelaysMs'> {
  readonly sessionId: string
  readonly server: McpServer
  /** Absolute, the session's cwd first; as it is when asked. */
  roots(): readonly string[]
  readonly fetch: Fetch
  /** Of Deckhand. */
  readonly version: string
}

/** One server of one session as a plugin, and its run. The server starts with the plugin, and is gone when that is disposed. */
export function mcpPlugin(options: McpPluginOptions): { plugin: Plugin; run: Promise<ServerRun> } {
  const { sessionId, server, roots, fetch, version, slots, failures, note, restartDelaysMs } = options
  const name = `mcp ${oneLine(server.name, 60)}`
  let resolveRun: (run: ServerRun) => void = () => {}
  const run = new Promise<ServerRun>(found => {
    resolveRun = found
  })
  const plugin = {
    name,
    inject: ['tools', 'launcher'],
    apply(ctx: Context): void {
      const [cwd = ''] = roots()
      const logger = ctx.logger(name)
      const started = new ServerRun({
        server,
        tools: new ToolList(ctx, sessionId),
        log: new ServerLog(line => logger.info('%s', `${sessionId.slice(0, 8)}: ${line}`)),
        connection: {
          sessionId,
          cwd: server.type === 'stdio' && server.cwd !== undefined ? resolve(cwd, server.cwd) : cwd,
          launcher: ctx.launcher,
          fetch,
          version,
          roots,
          questioner: () => ctx.get('questioner'),
        },
        slots,
        failures,
        note,
        ...(restartDelaysMs ? { restartDelaysMs } : {}),
      })
      ctx.effect(() => () => started.close(), name)
      resolveRun(started)
    },
  }
  return { plugin, run }
}
