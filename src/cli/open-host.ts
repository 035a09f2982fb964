import { createHost } from '../bridge/index.js'
import { type Environment, toHostSettings } from './environment.js'
import { logTo } from './log-file.js'

type OpenHost = ReturnType<typeof createHost>

/**
 * A host with the user's plugins, for one command of the command line; `plugins` are paths besides the config's. What could
 * not be loaded is said on stderr.
 */
export async function openHost(environment: Environment, plugins: readonly string[] = []): Promise<OpenHost> {
  const host = createHost([], logTo(environment), { ...toHostSettings(environment), pluginPaths: plugins })
  await host.ready
  await host.userPlugins.load()
  for (const { label, problems } of host.userPlugins.reports) {
    for (const problem of problems) process.stderr.write(`deckhand: plugin ${label}: ${problem}\n`)
  }
  return host
}
