import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { Fetch } from '../../../network/index.js'
import type { ProviderAccess } from './providers.js'

/**
 * The model's client. Loads the provider's package: the only place that does, and only when a model is first opened. A
 * client is for many requests: its package compiles schemas for each.
 */
export async function loadLanguageModel(access: ProviderAccess, model: string, fetch: Fetch): Promise<LanguageModelV3> {
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
