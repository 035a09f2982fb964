import { chooseModel, usableProviders } from './choose-model.js'
import { knownModels, modelFacts } from './known-models.js'
import { listModels } from './list-models.js'
import { resolveProvider } from './providers.js'
import type { ModelChoice, ModelFacts, ModelSettings } from './types.js'

/** The models that a session may choose from, the one in force among them. Ids are `provider/model`. */
export interface ModelOffer {
  current: string
  models: { id: string; name: string }[]
  /** Levels of the current model; empty if it has none. */
  thinkingLevels: readonly string[]
}

/**
 * What to offer: the models of the config and those that Deckhand knows, and with `ask` also those that the endpoints list
 * (bounded as listModels is). Undefined without a model in force. Never rejects.
 */
export async function offerModels(
  settings: ModelSettings,
  wanted: string | undefined,
  ask: boolean,
): Promise<ModelOffer | undefined> {
  try {
    const { choice } = await chooseModel(settings, wanted)
    if (!choice) return undefined
    const current = `${choice.provider}/${choice.model}`
    const offered = new Map<string, string>()
    for (const access of await usableProviders(settings)) {
      const models = ask ? await listModels(access.name, settings) : [...access.models, ...knownModels(access)]
      for (const { id, name } of models) offered.set(`${access.name}/${id}`, name ?? id)
    }
    if (!offered.has(current)) offered.set(current, choice.model)
    const models = [...offered].map(([id, name]) => ({ id, name }))
    return { current, models, thinkingLevels: (await factsOf(choice, settings))?.thinkingLevels ?? [] }
  } catch {
    // A choice that is none is told at the prompt, where the user can read it.
    return undefined
  }
}

async function factsOf(choice: ModelChoice, settings: ModelSettings): Promise<ModelFacts | undefined> {
  return modelFacts(resolveProvider(choice.provider, settings, await settings.credentials()), choice.model)
}
