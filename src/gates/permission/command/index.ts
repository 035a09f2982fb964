import type { CommandContext, CommandDecision } from './decision.js'

export type { CommandContext, CommandDecision, CommandRow, CommandRule, CommandRules } from './decision.js'

/** The decision on one command line. */
export async function decideCommand(_command: string, _context: CommandContext): Promise<CommandDecision> {
  return { decision: 'ask', row: 'cannot-parse', because: 'commands are not read yet', onlyLooks: false }
}
