import { createFetch } from '../../../network/index.js'
import type { ModelSettings } from './types.js'

/** The settings of a process: one way to the network for all its models. */
export function createModelSettings(parts: Omit<ModelSettings, 'fetch' | 'retry'>): ModelSettings {
  const { env, config } = parts
  // A request for an answer changes nothing where it arrives.
  return {
    ...parts,
    fetch: createFetch({ env, isRepeatable: true, ...(config.caFile ? { caFile: config.caFile } : {}) }),
  }
}
