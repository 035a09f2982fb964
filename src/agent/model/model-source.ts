import type { ChosenModel, Model, ModelChoice, ModelOffer, ModelSettings } from './provider/index.js'
import { cannedFetch, chooseModel, offerModels, openModel } from './provider/index.js'

/** More make a first turn little faster. */
const CANNED_CALLS = 4

/** Where a driver gets its model from, at the start of each turn. */
export interface ModelSource {
  /** `wanted` is the session's own choice. Throws MODEL_UNKNOWN for a choice that is none. */
  choose(wanted?: string): Promise<ChosenModel>
  /** Throws MODEL_UNKNOWN or MODEL_NO_KEY. */
  open(choice: ModelChoice): Promise<Model>
  /** A model of the same kind that answers by itself, without a network: words, and calls of the tools it is told of. */
  canned(choice: ModelChoice): Promise<Model>
}

/** What an editor's selector shows. */
export interface ModelSelector {
  /** What a session may choose from; with `ask` the endpoints are asked too. Undefined without a model. Never rejects. */
  offer(wanted: string | undefined, ask: boolean): Promise<ModelOffer | undefined>
}

/** The models that these settings reach; `explicit` counts where a session has chosen none. */
export function createModelSource(settings: ModelSettings, explicit?: string): ModelSource & ModelSelector {
  return {
    choose: wanted => chooseModel(settings, wanted ?? explicit),
    open: choice => openModel(choice, settings),
    canned: choice => openModel(choice, { ...settings, fetch: cannedFetch(CANNED_CALLS) }),
    offer: (wanted, ask) => offerModels(settings, wanted ?? explicit, ask),
  }
}
