import type { Policy, RuleMatch } from './policy.js'
import type { Remembered, Verdict } from './verdict.js'

/** What a call would do with one thing, before the policy is asked. */
export interface Thing {
  /** Stable, for reject_always: `write /w/a.ts`. */
  readonly subject: string
  /** Why it asks, one line without a full stop: `it changes src/a.ts`. */
  readonly why: string
  readonly rule: RuleMatch | undefined
  /** Something is changed, or may be. */
  readonly changes: boolean
  /** Why it is free in ask mode, in accept-edits mode; absent: it asks. */
  readonly free?: string
  readonly freeWithEdits?: string
  /** Why it must be asked even if the user typed it. */
  readonly asksWhenTyped?: string
  readonly always?: readonly Remembered[]
}

/** The decision on one thing: deny rules, then what the user said, then the mode's table. */
export function decideThing(thing: Thing, policy: Policy): Verdict {
  const verdict = decideByTable(thing, policy)
  if (verdict.decision === 'deny' || !policy.strict || policy.typed) return verdict
  const because = verdict.decision === 'ask' ? verdict.because : FAULTY_CONFIG
  return { decision: 'ask', because, subject: thing.subject }
}

function decideByTable(thing: Thing, policy: Policy): Verdict {
  const { subject, rule } = thing
  if (rule?.decision === 'deny') return { decision: 'deny', because: rule.because }
  const question = (because: string): Verdict => ({
    decision: 'ask',
    because,
    subject,
    ...(thing.always ? { always: thing.always } : {}),
  })
  if (policy.typed) {
    if (thing.asksWhenTyped) return question(thing.asksWhenTyped)
    return { decision: 'allow', because: 'the user typed it' }
  }
  if (policy.mode === 'plan' && thing.changes) return { decision: 'deny', because: PLAN_MODE }
  if (policy.isRejected(subject)) {
    return { decision: 'deny', because: 'the user refused this for the whole session' }
  }
  if (policy.mode === 'full-access') return { decision: 'allow', because: 'the thread has full access' }
  if (rule?.decision === 'ask') return question(rule.because)
  if (rule?.decision === 'allow') return { decision: 'allow', because: rule.because }
  if (thing.always?.every(answer => policy.isRemembered(answer))) {
    return { decision: 'allow', because: 'the user allowed it for good in this project' }
  }
  if (thing.free) return { decision: 'allow', because: thing.free }
  if (policy.mode === 'accept-edits' && thing.freeWithEdits) return { decision: 'allow', because: thing.freeWithEdits }
  return question(thing.why)
}

const FAULTY_CONFIG = 'the config file has problems, and until they are fixed everything asks'

/** Why plan mode denies; the refusal goes on from it. */
export const PLAN_MODE = 'the thread is in plan mode, where nothing is changed'
