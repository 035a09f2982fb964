export { convertTools, toToolsLog, toToolsNote } from './convert-tools.js'
export { MCP_FAMILY, presentMcp } from './present.js'
