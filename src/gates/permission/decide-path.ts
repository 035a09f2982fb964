import { decideThing } from './decide-thing.js'
import type { PathFacts } from './path-facts.js'
import type { Policy } from './policy.js'
import type { Verdict } from './verdict.js'

/** The decision on one path of a call. */
export function decidePath(facts: PathFacts, policy: Policy): Verdict {
  const { use, spoken, own, inside, secret, steering } = facts
  if (own !== undefined) return { decision: 'deny', because: `${own} is closed to every tool` }
  const isWrite = use === 'write'
  const leads = facts.realPath === facts.path ? '' : ` (it leads to ${facts.realPath})`
  const outside = inside ? undefined : `${spoken} lies outside the workspace${leads}`
  const special =
    outside ??
    (secret ? `the name of ${spoken} says that it holds secrets` : undefined) ??
    (steering ? `${spoken} makes code run later or steers later sessions` : undefined)
  const isOrdinary = special === undefined
  return decideThing(
    {
      subject: `${use} ${facts.realPath}`,
      why: special ?? `it ${isWrite ? 'changes' : 'reads'} ${spoken}`,
      rule: policy.rules.forPath(facts),
      changes: isWrite,
      ...(isOrdinary && !isWrite ? { free: 'reading inside the workspace is free' } : {}),
      ...(isOrdinary && isWrite ? { freeWithEdits: 'edits inside the workspace are free in this mode' } : {}),
      ...(outside ? { asksWhenTyped: outside } : {}),
      ...(isOrdinary && isWrite ? { always: [{ type: 'mode', mode: 'accept-edits' }] } : {}),
    },
    policy,
  )
}
