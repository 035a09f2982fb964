import type { CommandDecision } from './decision.js'

/**
 * What a decision comes to in a mode. Full access asks nothing; plan mode denies what may change anything; deny rules hold in
 * all of them.
 */
export function commandInMode(
  found: CommandDecision,
  mode: 'ask' | 'accept-edits' | 'plan' | 'full-access',
): CommandDecision {
  if (found.decision === 'deny') return found
  const { onlyLooks } = found
  if (mode === 'plan' && !onlyLooks) {
    return { decision: 'deny', row: 'plan-mode', because: 'plan mode changes nothing, and it may', onlyLooks }
  }
  if (mode === 'full-access' && found.decision === 'ask') {
    return { decision: 'allow', row: 'full-access', because: 'full access asks nothing', onlyLooks }
  }
  return found
}
