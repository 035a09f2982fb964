export type { SessionServer } from './server.js'
export { type McpOptions, type McpServers, mcpServersPlugin } from './servers.js'
