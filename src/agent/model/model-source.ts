import type { ChosenModel, Model, ModelChoice, ModelSettings } from './provider/index.js'
import { chooseModel, openModel } from './provider/index.js'

/** Where a driver gets its model from, at the start of each turn. */
export interface ModelSource {
  /** `wanted` is the session's own choice. Throws MODEL_UNKNOWN for a choice that is none. */
  choose(wanted?: string): Promise<ChosenModel>
  /** Throws MODEL_UNKNOWN or MODEL_NO_KEY. */
  open(choice: ModelChoice): Promise<Model>
}

/** The models that these settings reach; `explicit` counts where a session has chosen none. */
export function createModelSource(settings: ModelSettings, explicit?: string): ModelSource {
  return {
    choose: wanted => chooseModel(settings, wanted ?? explicit),
    open: choice => openModel(choice, settings),
  }
}
