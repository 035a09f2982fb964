export { type ModelContextOptions, modelContext } from './context/index.js'
export { createModelDriver, type ModelDriverOptions } from './driver.js'
export { createModelSource, type ModelSource } from './model-source.js'
