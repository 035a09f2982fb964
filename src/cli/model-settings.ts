import { createModelSettings, type ModelSettings } from '../bridge/index.js'
import { readCredentials } from '../config/index.js'
import type { Environment } from './environment.js'

/** Where the choice of a model and its key come from. */
export function toModelSettings({ env, settings, credentialsPath }: Environment): ModelSettings {
  return createModelSettings({ env, config: settings.config, credentials: () => readCredentials(credentialsPath) })
}
