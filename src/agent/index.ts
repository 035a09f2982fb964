export {
  type ConsoleDriverOptions,
  createConsoleDriver,
  type Grammar,
  type ParsedCall,
  type ParsedPrompt,
  parsePrompt,
  type SessionCommand,
} from './console/index.js'
export type { Driver, DriverCall, DriverCommand, DriverStep, DriverTurn } from './driver.js'
export { parseMention } from './mentions.js'
export {
  createModelDriver,
  createModelSource,
  type ModelOffer,
  type ModelSelector,
  type ModelSource,
  modelContext,
} from './model/index.js'
export { toModelPrompt } from './model-prompt.js'
export { createReplayDriver } from './replay/driver.js'
export { runTurn, type TurnOptions, type TurnOutcome } from './turn.js'
