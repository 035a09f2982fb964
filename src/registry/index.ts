export { HarnessError, hasErrorCode } from '../cards/index.js'
export { parseArguments } from './arguments.js'
export { toolCatalog } from './catalog.js'
export { settledWithin } from './contain.js'
export { defineTool } from './define-tool.js'
export { failedResult } from './failure.js'
export { lateModule } from './late-module.js'
export type { FamilyPresenters } from './presenter-families.js'
export { sampleCalls } from './sample-calls.js'
export { type InferArgs, type PropertySpec, type SchemaSpec, schemaSpecToJsonSchema } from './schema-spec.js'
export { SessionTools } from './session-tools.js'
export { SystemPrompt } from './system-prompt.js'
export { ToolArgsError } from './tool-args-error.js'
export { ToolError } from './tool-error.js'
export { ToolRegistry, type ToolRegistryOptions } from './tool-registry.js'
export type {
  ActiveExecution,
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
  Command,
  Launch,
  LaunchedProcess,
  Launcher,
  LaunchOptions,
  ProcessExit,
  ProvidedBy,
  Questioner,
  ToolAgent,
  ToolDefinition,
  ToolEffects,
  ToolExecution,
  ToolExecutionResult,
  ToolOutput,
  ToolProgress,
  ToolResult,
  ToolSchema,
  UserAnswer,
  UserQuestion,
} from './types.js'
export { validateArgs } from './validate-args.js'
