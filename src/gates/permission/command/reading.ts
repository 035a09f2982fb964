import type { CommandWord } from './word.js'

/** A simple command in a command line, wherever it stands: in a loop, in a substitution, in text handed to a shell. */
export interface Part {
  readonly words: readonly CommandWord[]
  /** Files it gets as stdin (`< file`). */
  readonly reads: readonly CommandWord[]
  /** It has a here-document or here-string whose text shows only when it runs. */
  readonly hasUnknownInput: boolean
  /** The commands that it starts itself, as `timeout 60 npm test` does. */
  readonly inner: readonly InnerPart[]
}

export interface InnerPart {
  /** Where its words begin among those of the outer part. */
  readonly at: number
  readonly part: Part
}

/** Why a line must be asked about, whatever the rules allow, and cannot be allowed for good. A clause: "it …". */
export type Obstacle = string

/** A command line, read: every command in it, and what keeps it from being judged by its commands alone. */
export interface Reading {
  /** Those that run as they stand, and those in substitutions and code (then there is an obstacle too). */
  readonly parts: readonly Part[]
  readonly obstacles: readonly Obstacle[]
  /** It could not be read for certain: `parts` may lack some. */
  readonly isUncertain: boolean
  /** The whole line is a chain of && that begins with a cd. */
  readonly beginsWithCd: boolean
}
