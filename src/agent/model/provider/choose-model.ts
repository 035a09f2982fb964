import { HarnessError } from '../../../cards/index.js'
import { type ProviderAccess, providerNames, resolveProvider } from './providers.js'
import type { ModelChoice, ModelSettings } from './types.js'

/** A choice and where it comes from, or what a user does to have one. */
export type ChosenModel =
  | { choice: ModelChoice; source: 'explicit' | 'environment' | 'config' | 'key' }
  | { choice: undefined; advice: string }

/**
 * The model to talk to: `explicit` (the command line, the editor's selector), then DECKHAND_MODEL, then the config, then the
 * default of the one provider that has a key. Throws MODEL_UNKNOWN for a choice that is none.
 */
export async function chooseModel(settings: ModelSettings, explicit?: string): Promise<ChosenModel> {
  const { env, config } = settings
  if (explicit) return { choice: parseModelChoice(explicit, settings, 'The model'), source: 'explicit' }
  const wanted = env.DECKHAND_MODEL?.trim()
  if (wanted) return { choice: parseModelChoice(wanted, settings, 'DECKHAND_MODEL'), source: 'environment' }
  if (config.model) return { choice: parseModelChoice(config.model, settings, 'model in the config'), source: 'config' }
  const usable = await usableProviders(settings)
  const [only] = usable
  if (usable.length === 1 && only?.defaultModel) {
    return { choice: { provider: only.name, model: only.defaultModel }, source: 'key' }
  }
  return { choice: undefined, advice: toAdvice(usable) }
}

/** `provider/model` as a choice. Throws MODEL_UNKNOWN, whose message begins with `origin`. */
export function parseModelChoice(
  text: string,
  settings: Pick<ModelSettings, 'config'>,
  origin = 'The model',
): ModelChoice {
  const [, provider = '', model = ''] = /^([^/\s]+)\/(\S+)$/.exec(text.trim()) ?? []
  const known = providerNames(settings)
  if (provider === '' || !known.includes(provider)) {
    const problem =
      provider === '' ? 'must have the form provider/model' : `names the unknown provider ${JSON.stringify(provider)}`
    throw new HarnessError(
      'MODEL_UNKNOWN',
      `${origin} ${problem}: ${JSON.stringify(text)}. Providers: ${known.join(', ')}.`,
    )
  }
  return { provider, model }
}

/** Those with a key; without any, those that need none and whose models are named. */
/** The providers that can be talked to: those with a key, else those that need none and have a default model. */
export async function usableProviders(settings: ModelSettings): Promise<ProviderAccess[]> {
  const credentials = await settings.credentials()
  const all = providerNames(settings).flatMap(name => {
    try {
      return [resolveProvider(name, settings, credentials)]
    } catch {
      // A provider without an address is a fault only for who chooses it.
      return []
    }
  })
  const withKey = all.filter(({ key }) => key !== undefined)
  if (withKey.length > 0) return withKey
  return all.filter(({ needsKey, defaultModel }) => !needsKey && defaultModel !== undefined)
}

function toAdvice(usable: readonly ProviderAccess[]): string {
  const [first] = usable
  if (first === undefined) {
    return 'No model is configured. Run "deckhand login" in a terminal, or set DEEPSEEK_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY where your editor starts the agent.'
  }
  const example = usable.find(({ defaultModel }) => defaultModel) ?? first
  const names = usable.map(({ name }) => name).join(', ')
  return usable.length === 1
    ? `There is a key for ${names} but no model is named. Set DECKHAND_MODEL=${first.name}/MODEL, or "model" in the config.`
    : `There are keys for several providers (${names}). Choose with DECKHAND_MODEL=${example.name}/${example.defaultModel ?? 'MODEL'}, or with "model" in the config.`
}
