import { homedir } from 'node:os'
import { createModelSettings, type HostSettings, type ModelSettings, stateDirectory } from '../bridge/index.js'
import { credentialsPath, type LoadedConfig, loadConfig, readCredentials } from '../config/index.js'

/** What the commands take from the process: read here and nowhere else. */
export interface Environment {
  cwd: string
  env: NodeJS.ProcessEnv
  stateDir: string
  /** The user's config, and what is wrong with it. */
  settings: LoadedConfig
  /** Where keys are kept; see `deckhand login`. */
  credentialsPath: string
  /** Reads the config file again, as it is then. */
  rereadConfig?: () => Promise<LoadedConfig>
}

export async function readEnvironment(): Promise<Environment> {
  const { env, platform } = process
  const home = homedir()
  const rereadConfig = () => loadConfig({ env, platform, home })
  return {
    cwd: process.cwd(),
    env,
    stateDir: stateDirectory(env, platform, home),
    settings: await rereadConfig(),
    credentialsPath: credentialsPath({ env, platform, home }),
    rereadConfig,
  }
}

/** What a host is set up from. */
export function toHostSettings({ settings, credentialsPath, stateDir, rereadConfig }: Environment): HostSettings {
  return {
    config: settings.config,
    configPath: settings.path,
    credentialsPath,
    stateDir,
    ...(rereadConfig ? { rereadConfig } : {}),
  }
}

/** Where the choice of a model and its key come from. */
export function toModelSettings({ env, settings, credentialsPath }: Environment): ModelSettings {
  return createModelSettings({ env, config: settings.config, credentials: () => readCredentials(credentialsPath) })
}
