import { HarnessError } from '../../../cards/index.js'
import { toCallOptions } from './call-options.js'
import { modelFacts } from './known-models.js'
import { loadLanguageModel } from './language-model.js'
import type { ModelFailure } from './model-failure.js'
import { type ProviderAccess, resolveProvider } from './providers.js'
import { streamModel } from './stream-model.js'
import type { Model, ModelChoice, ModelRequest, ModelSettings } from './types.js'

/** Models that took tools only with thinking off; each costs one refused request to learn. */
const withoutThinking = new Set<string>()

/** Opens a model: loads its provider's package and finds its key. Throws MODEL_UNKNOWN or MODEL_NO_KEY. */
export async function openModel(choice: ModelChoice, settings: ModelSettings): Promise<Model> {
  const access = resolveProvider(choice.provider, settings, await settings.credentials())
  return openWith(access, choice.model, settings)
}

/** The same, with the provider's access at hand. */
export async function openWith(
  access: ProviderAccess,
  model: string,
  settings: Pick<ModelSettings, 'fetch' | 'retry'>,
): Promise<Model> {
  if (access.needsKey && access.key === undefined) throw missingKey(access)
  const facts = modelFacts(access, model)
  const languageModel = await loadLanguageModel(access, model, settings.fetch)
  const place = `${access.baseUrl} ${model}`
  const stream = (request: ModelRequest, signal: AbortSignal) =>
    streamModel(
      {
        access,
        model,
        languageModel,
        options: () => toCallOptions({ access, model, facts, request, noThinking: withoutThinking.has(place) }),
        adapt: failure => {
          if (!refusesThinking(failure) || withoutThinking.has(place)) return undefined
          withoutThinking.add(place)
          return `${access.name}/${model} takes tools over chat completions only without thinking: it goes on without.`
        },
        ...(settings.retry ? { retry: settings.retry } : {}),
      },
      signal,
    )
  return { ...facts, id: `${access.name}/${model}`, stream }
}

/** OpenAI's newer models answer 400 to tools over chat completions unless their thinking is off. */
function refusesThinking({ error }: ModelFailure): boolean {
  return error.code === 'MODEL_FAILED' && /reasoning_effort/.test(error.message) && /tools/.test(error.message)
}

function missingKey({ name, keyVariable, keyPage }: ProviderAccess): HarnessError {
  const variable = keyVariable ? `, or set ${keyVariable} where your editor starts the agent` : ''
  const page = keyPage ? ` Keys are made at ${keyPage}.` : ''
  return new HarnessError(
    'MODEL_NO_KEY',
    `There is no key for ${name}. Run "deckhand login ${name}" in a terminal${variable}.${page}`,
  )
}
