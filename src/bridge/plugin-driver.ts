import type { Context } from 'cordis'
import type { Driver, DriverTurn, SessionCommand } from '../agent/index.js'
import type { UserPlugins } from '../plugins/index.js'

declare module 'cordis' {
  interface Context {
    /** What decides the next tool call, in place of the shipped driver: provided by a plugin. */
    driver: Driver
  }
}

const RELOAD = 'reload'

/** The session command that loads the user's plugins anew, and starts MCP servers that were given up. */
export function reloadCommand(plugins: Pick<UserPlugins, 'reload'>, ctx: Context): SessionCommand {
  return {
    name: RELOAD,
    description: 'Load your plugins anew',
    async run({ agent }) {
      const servers = (await ctx.get('mcp')?.retry(agent.sessionId)) ?? []
      const words = await plugins.reload()
      return servers.length === 0 ? words : `${words}\n\nMCP servers that are started again: ${servers.join(', ')}`
    },
  }
}

/**
 * The driver of a plugin as long as there is one, else `shipped`. `/reload` stays with the shipped one: it is the way out
 * of a plugin's driver.
 */
export function withPluginDriver(ctx: Context, shipped: Driver): Driver {
  const current = () => ctx.get('driver')
  return {
    run: turn => (isReload(turn) ? shipped : (current() ?? shipped)).run(turn),
    warm: async signal => (current() ?? shipped).warm?.(signal),
    async commands(agent) {
      const driver = current()
      const own = (await shipped.commands?.(agent)) ?? []
      if (driver === undefined) return own
      const given = (await driver.commands?.(agent)) ?? []
      return [...given.filter(({ name }) => name !== RELOAD), ...own.filter(({ name }) => name === RELOAD)]
    },
  }
}

function isReload({ prompt }: DriverTurn): boolean {
  const first = prompt.find(block => block.type === 'text' && block.text.trim() !== '')
  return first?.type === 'text' && first.text.trim() === `/${RELOAD}`
}
