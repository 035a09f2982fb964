/** One rule on commands: words, of which the last may be `*` for any further words, none included. */
export interface CommandRule {
  readonly words: readonly string[]
  /** Where it stands, for people: "your config", "what you allowed in this project". */
  readonly source: string
  /** Further words that leave the roots or name a secret are not covered: it was remembered for other ones. */
  readonly staysInside?: boolean
}

/** Deny beats ask, ask beats allow. */
export interface CommandRules {
  readonly allow: readonly CommandRule[]
  readonly ask: readonly CommandRule[]
  readonly deny: readonly CommandRule[]
}

export interface CommandContext {
  /** Absolute. */
  readonly cwd: string
  /** Absolute; cwd's first. */
  readonly roots: readonly string[]
  readonly rules: CommandRules
  /** Where an absolute path really leads, links followed; `inside`: in the real roots. May reject. */
  resolve(path: string): Promise<{ realPath: string; inside: boolean }>
  /** The shell that will run it; without it, the one that is found. Only the language of POSIX shells is read. */
  readonly shell?: string
  /** Where programs are looked for; default: the process's own PATH. */
  readonly searchPath?: string
}

/** Which line of the table decided. Ids are stable: documents and tests refer to them. */
export type CommandRow =
  | 'rule-deny'
  | 'rule-ask'
  | 'rule-allow'
  | 'looks-only'
  | 'other-command'
  | 'never-always'
  | 'cannot-parse'
  | 'full-access'
  | 'plan-mode'

/** What is decided about one command line. */
export interface CommandDecision {
  readonly decision: 'allow' | 'deny' | 'ask'
  readonly row: CommandRow
  /** One line without a full stop, for people. */
  readonly because: string
  /**
   * For `ask`: what an always-answer remembers, one pattern for each part that no rule allows yet; absent: it must not be
   * offered.
   */
  readonly always?: readonly (readonly string[])[]
  /** All its parts only look: they change nothing. Such a command may ask all the same, for what it looks at. */
  readonly onlyLooks: boolean
}
