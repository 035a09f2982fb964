export type { Context, Plugin } from 'cordis'
export type { Driver, DriverCall, DriverCommand, DriverStep, DriverTurn } from './agent/index.js'
export { type Agent, type AgentOptions, createAgent, stateDirectory, stdioStream } from './bridge/index.js'
export {
  SystemPrompt,
  type ToolExecution,
  type ToolExecutionResult,
  ToolRegistry,
} from './registry/index.js'
export type { Files } from './workspace/index.js'
