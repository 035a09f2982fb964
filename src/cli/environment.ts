import type { HostSettings } from '../bridge/host/index.js'
import { credentialsPath, type LoadedConfig, loadConfig } from '../config/index.js'
import { type ProcessFacts, processFacts } from './process-facts.js'

/** What the commands take from the process and from the user's files. */
export interface Environment extends Pick<ProcessFacts, 'cwd' | 'env' | 'stateDir'> {
  /** The user's config, and what is wrong with it. */
  settings: LoadedConfig
  /** Where keys are kept; see `deckhand login`. */
  credentialsPath: string
  /** Reads the config file again, as it is then. */
  rereadConfig?: () => Promise<LoadedConfig>
}

export async function readEnvironment(facts: ProcessFacts = processFacts()): Promise<Environment> {
  const { cwd, env, stateDir } = facts
  const rereadConfig = () => loadConfig(facts)
  return { cwd, env, stateDir, settings: await rereadConfig(), credentialsPath: credentialsPath(facts), rereadConfig }
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
