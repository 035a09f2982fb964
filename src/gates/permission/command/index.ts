export { commandInMode } from './command-in-mode.js'
export { toCommandRules } from './config-rules.js'
export { decideCommand } from './decide-command.js'
export type { CommandContext, CommandDecision, CommandRow, CommandRule, CommandRules } from './decision.js'
