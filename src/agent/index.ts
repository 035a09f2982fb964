export {
  type ConsoleDriverOptions,
  createConsoleDriver,
  type Grammar,
  type ParsedCall,
  type ParsedPrompt,
  parsePrompt,
  type SessionCommand,
  type WrongLine,
} from './console/index.js'
export type { Driver, DriverCall, DriverCommand, DriverStep, DriverTurn } from './driver.js'
export { type Mention, parseMention } from './mentions.js'
export { type ModelPromptOptions, toModelPrompt } from './model-prompt.js'
export { createReplayDriver, type ReplayDriverOptions } from './replay/driver.js'
export type { TurnTools } from './tool-call.js'
export { runTurn, type TurnOptions, type TurnOutcome } from './turn.js'
