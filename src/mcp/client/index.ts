export { mcpPlugin } from './plugin.js'
export type { ServerRun } from './server-run.js'
