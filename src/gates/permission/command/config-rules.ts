import { parseCommandPattern } from '../../../config/index.js'
import type { CommandRules } from './decision.js'

/** The rules on commands as the config has them. Throws for a pattern that the config would have refused. */
export function toCommandRules(lists: {
  allow: readonly string[]
  ask: readonly string[]
  deny: readonly string[]
}): CommandRules {
  const read = (patterns: readonly string[]) =>
    patterns.map(pattern => ({ words: parseCommandPattern(pattern), source: 'your config' }))
  return { allow: read(lists.allow), ask: read(lists.ask), deny: read(lists.deny) }
}
