export { commandInMode } from './command-in-mode.js'
export { toCommandRules } from './config-rules.js'
export { decideCommand } from './decide-command.js'
export type { CommandDecision, CommandRow, CommandRule } from './decision.js'
