import { HarnessError, isHarnessError } from '../../../cards/index.js'
import { fetchModels } from './list-models.js'
import { openWith } from './open-model.js'
import { type ProviderAccess, resolveProvider } from './providers.js'
import type { ModelSettings } from './types.js'

const PROOF_LIMIT_MS = 30_000

/**
 * Proves a key by one small request: for the list of models, or for one word where a model is named in the config or there
 * is no list, since some endpoints show theirs to everybody. Resolves to how many models the list has, if it was asked
 * for. Throws the HarnessError of the failure.
 */
export async function proveKey(
  provider: string,
  key: string | undefined,
  settings: ModelSettings,
): Promise<{ models?: number }> {
  const access = withKey(resolveProvider(provider, settings, {}), key)
  const [named] = access.isOfficial ? [] : access.models
  if (named === undefined) {
    const listed = await fetchModels(access, settings.fetch, PROOF_LIMIT_MS)
    if (!isHarnessError(listed)) return { models: listed.length }
    if (listed.code !== 'MODEL_UNKNOWN' || access.defaultModel === undefined) throw listed
  }
  return proveByWord(access, named?.id ?? access.defaultModel ?? '', settings)
}

async function proveByWord(access: ProviderAccess, model: string, settings: ModelSettings): Promise<object> {
  const provider = access.name
  const opened = await openWith(access, model, { ...settings, retry: { tries: 1 } })
  const stop = new AbortController()
  const late = new HarnessError('MODEL_TIMEOUT', `${provider} did not answer in time. Check the network and try again.`)
  const timer = setTimeout(() => stop.abort(late), PROOF_LIMIT_MS)
  try {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Say: ok' }] }]
    const request = { system: '', prompt, tools: [], maxOutputTokens: 16 }
    for await (const part of opened.stream(request, stop.signal)) {
      // The first word proves the key: the rest would only cost.
      if (part.type !== 'notice') break
    }
    return {}
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

/** The key to prove counts, not one of the environment. */
function withKey({ key: _, keySource: __, ...access }: ProviderAccess, key: string | undefined): ProviderAccess {
  return key === undefined ? access : { ...access, key, keySource: 'file' }
}
