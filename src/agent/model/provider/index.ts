export { cannedFetch } from './canned-answer.js'
export { type ChosenModel, chooseModel, parseModelChoice } from './choose-model.js'
export { createModelSettings } from './create-settings.js'
export { listModels } from './list-models.js'
export { type ModelOffer, offerModels } from './offer-models.js'
export { openModel } from './open-model.js'
export { proveKey } from './prove-key.js'
export { providerNames, resolveProvider } from './providers.js'
export type {
  Model,
  ModelChoice,
  ModelPart,
  ModelPrice,
  ModelPrompt,
  ModelRequest,
  ModelSettings,
  ModelUsage,
} from './types.js'
