import type { PermissionConfig } from './config-rules.js'
import type { Mode } from './modes.js'
import type { PathFacts } from './path-facts.js'
import type { Remembered } from './verdict.js'

/** What the user's config says of one thing. */
export interface RuleMatch {
  readonly decision: 'allow' | 'ask' | 'deny'
  /** One line without a full stop, which names the rule. */
  readonly because: string
}

/** The rules of the user's config. Of those that fit the strictest is found: deny, then ask, then allow. */
export interface Rules {
  readonly commands: PermissionConfig['commands']
  forPath(facts: Omit<PathFacts, 'steering'>): RuleMatch | undefined
  forHost(host: string): RuleMatch | undefined
  forTool(name: string): RuleMatch | undefined
}

/** All that decides besides the call itself. */
export interface Policy {
  readonly mode: Mode
  /** The user typed the call, and typing authorises. */
  readonly typed: boolean
  /** The config could not be read in full: what would be free asks. */
  readonly strict: boolean
  readonly rules: Rules
  /** A reject_always of this session. */
  isRejected(subject: string): boolean
  /** An allow_always of this project. */
  isRemembered(answer: Remembered): boolean
}
