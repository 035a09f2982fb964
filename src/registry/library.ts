// What authors of tools get. Apart from index.ts, so that its declarations do not need cordis's.
export { defineTool, type ToolOptions } from './define-tool.js'
export { type InferArgs, type SchemaSpec, schemaSpecToJsonSchema } from './schema-spec.js'
export { ToolArgsError } from './tool-args-error.js'
export { ToolError } from './tool-error.js'
export type {
  ActiveExecution,
  Launch,
  LaunchedProcess,
  LaunchOptions,
  ToolAgent,
  ToolDefinition,
  ToolEffects,
  ToolExecutionResult,
  ToolOutput,
  ToolProgress,
  ToolResult,
  ToolSchema,
} from './types.js'
export { validateArgs } from './validate-args.js'
