export {
  type ConvertedTools,
  type ConvertToolsOptions,
  convertTools,
  type ToolNote,
  toToolsLog,
  toToolsNote,
} from './convert-tools.js'
export { MCP_FAMILY, presentMcp } from './present.js'
