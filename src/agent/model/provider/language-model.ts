import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { Fetch } from '../../../network/index.js'
import type { ProviderAccess } from './providers.js'
import { watchedFetch } from './watch-response.js'

const MAX_CLIENTS = 8
/** Of each way to the network, by all that they are made from. */
const clients = new WeakMap<Fetch, Map<string, Promise<LanguageModelV3>>>()

/** The model's client, one for many turns and sessions: its package compiles schemas for each. */
export function loadLanguageModel(access: ProviderAccess, model: string, fetch: Fetch): Promise<LanguageModelV3> {
  const known = clients.get(fetch) ?? new Map<string, Promise<LanguageModelV3>>()
  clients.set(fetch, known)
  const key = JSON.stringify([access, model])
  const client = known.get(key) ?? createLanguageModel(access, model, watchedFetch(fetch, access))
  // The one that was used last stands last.
  known.delete(key)
  known.set(key, client)
  for (const oldest of known.keys()) if (known.size > MAX_CLIENTS) known.delete(oldest)
  client.catch(() => known.delete(key))
  return client
}

/** Loads the provider's package: the only place that does, and only when a model is first opened. */
async function createLanguageModel(access: ProviderAccess, model: string, fetch: Fetch): Promise<LanguageModelV3> {
  const { kind, name, baseUrl: baseURL, key, headers: given } = access
  const headers = { ...given }
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      // Without a key the package looks into the process's environment.
      return createAnthropic({ baseURL, apiKey: key ?? 'none', headers, fetch })(model)
    }
    case 'deepseek': {
      const { createDeepSeek } = await import('@ai-sdk/deepseek')
      return createDeepSeek({ baseURL, apiKey: key ?? 'none', headers, fetch })(model)
    }
    case 'chat': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const common = { name, baseURL, headers, includeUsage: true, ...(key ? { apiKey: key } : {}) }
      // OpenAI's newer models know the limit only under its newer name; others know only the older.
      const renamed = access.isOfficial ? { transformRequestBody: renameTokenLimit } : {}
      return createOpenAICompatible({ ...common, ...renamed, fetch })(model)
    }
  }
}

function renameTokenLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens }
}
