import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { Context, type Fiber, type Plugin } from 'cordis'
import { type Config, defaultConfig, describeProblem, type LoadedConfig } from '../config/index.js'
import { shippedGates } from '../gates/index.js'
import { mcpServersPlugin } from '../mcp/index.js'
import { type PluginSource, UserPlugins } from '../plugins/index.js'
import { SystemPrompt, ToolRegistry } from '../registry/index.js'
import { shippedTools } from '../tools/index.js'
import { version } from '../version.js'
import { Files, jobsPlugin, launcherPlugin } from '../workspace/index.js'

import type { HostLog } from './connect/serve-agent.js'

/** What runs tools: the services, the shipped gates and tools, and the host's own plugins. */
export interface Host {
  readonly ctx: Context
  /** Settles when every plugin has started or failed; a plugin that fails is logged and left out. */
  readonly ready: Promise<void>
  /** Those of the config and the command line; nothing is loaded before `load`, which comes after `ready`. */
  readonly userPlugins: UserPlugins
  /** Undoes all of it and ends what it started. */
  close(): Promise<void>
}

/** The user's settings, and where Deckhand keeps its own files. */
export interface HostSettings {
  config?: Config
  /** Where the config file is, or would be. */
  configPath?: string
  /** Where the keys of model providers are, or would be. */
  credentialsPath?: string
  /** Where proxies and the like are set. Default: nowhere. */
  env?: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  stateDir: string
  /** Plugins besides the config's, absolute paths. */
  pluginPaths?: readonly string[]
  /** Reads the config file again, for the list of plugins in it. Default: that list does not change. */
  rereadConfig?: () => Promise<LoadedConfig>
  /** How long a prompt waits for the tools of its session's servers. Default 3,000; more where a machine may be busy. */
  toolWaitMs?: number
}

export function createHost(plugins: readonly Plugin[], log: HostLog, settings: HostSettings): Host {
  const { config = defaultConfig() } = settings
  const ctx = new Context()
  ctx.logger.exporter({
    export({ type, name, args: [first, ...others] }) {
      const label = `[${name}]`
      if (typeof first === 'string') log(type, `${label.replaceAll('%', '%%')} ${first}`, ...others)
      else log(type, '%s', label, first, ...others)
    },
  })
  const install = async (plugin: Plugin, options?: object) => {
    try {
      await (ctx.plugin(plugin, options) as PromiseLike<Fiber>)
    } catch (cause) {
      log('error', `The plugin ${plugin.name ?? '(unnamed)'} could not be started:`, cause)
    }
  }
  const keyVariables = Object.values(config.providers).flatMap(({ keyVariable }) => keyVariable ?? [])
  const services: [service: Plugin, options?: object][] = [
    [SystemPrompt],
    [ToolRegistry, settings.toolWaitMs === undefined ? {} : { expectMs: settings.toolWaitMs }],
    [Files],
    [launcherPlugin, { keyVariables }],
    [jobsPlugin],
    [mcpServersPlugin, { config, env: settings.env ?? {}, version }],
  ]
  const ready = Promise.all(services.map(([service, options]) => install(service, options)))
    // One after another: the first listener to come is the outermost.
    .then(() =>
      shippedGates({ ...settings, config }).reduce(
        (before, gate) => before.then(() => install(gate)),
        Promise.resolve(),
      ),
    )
    .then(() => Promise.all([...shippedTools({ ...config, version }), ...plugins].map(plugin => install(plugin))))
    .then(() => ctx.get('tools')?.markShipped())
  const userPlugins = createUserPlugins(ctx, log, settings, config)
  return {
    ctx,
    ready,
    userPlugins,
    close: async () => {
      await ready
      await userPlugins.close()
      await ctx.fiber.dispose()
    },
  }
}

function createUserPlugins(ctx: Context, log: HostLog, settings: HostSettings, config: Config): UserPlugins {
  const { configPath, pluginPaths = [], rereadConfig } = settings
  const listed = (plugins: readonly PluginSource[]) => [...plugins, ...pluginPaths.map(source => ({ source }))]
  return new UserPlugins({
    ctx,
    log,
    folder: configPath === undefined ? undefined : dirname(configPath),
    home: homedir(),
    sources: listed(config.plugins),
    ...(rereadConfig ? { reread: async () => listed(toPlugins(await rereadConfig())) } : {}),
  })
}

/** A list that may lack what could not be read is none: a gate would be gone without a word. */
function toPlugins({ config, path, problems: [problem] }: LoadedConfig): readonly PluginSource[] {
  if (problem) throw new Error(`the config file has problems: ${describeProblem(path, problem)}`)
  return config.plugins
}
