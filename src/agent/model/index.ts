export { modelContext } from './context/index.js'
export { createModelDriver, type ModelDriverOptions } from './driver.js'
export { createModelSource, type ModelSelector, type ModelSource } from './model-source.js'
export type { ModelOffer } from './provider/index.js'
