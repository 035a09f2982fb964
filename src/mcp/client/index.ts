export { type McpPluginOptions, mcpPlugin } from './plugin.js'
export type { ServerRun } from './server-run.js'
