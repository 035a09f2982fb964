export { toolContract } from './tool-contract.js'
export type {
  ContractCheck,
  ContractOptions,
  ExpectedOutcome,
  SampleOutcome,
  ToolPlugin,
  ToolSample,
} from './types.js'
