import { oneLine } from '../cards/index.js'

/** A command as a message shows it. */
export function formatCommand(command: readonly string[]): string {
  return oneLine(command.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' '), 120)
}
