export { findMissingProgram } from './missing-program.js'
export type { SessionServer } from './server.js'
export { type McpServers, mcpServersPlugin } from './servers.js'
