/**
 * How a command is called that only looks. What is not listed is not known, and makes it ask. Options are letters
 * (`flags`), or words separated by blanks (`long`), without their dashes.
 */
export interface LookSpec {
  /** Short options without a value. */
  readonly flags?: string
  /** Short options whose value is no path: the rest of the word, else the next word. */
  readonly values?: string
  /** Short options whose value is a number. Some systems take none there: then the next word would be something else. */
  readonly counts?: string
  /** Short options with a value only if it is glued to them. */
  readonly glued?: string
  /** Short options whose value is a path. */
  readonly files?: string
  /** Long options, with or without `=value`, which is no path. */
  readonly long?: string
  /** Long options whose value may be the next word. */
  readonly longValues?: string
  readonly longFiles?: string
  /** `-20` is a number. */
  readonly numbers?: boolean
  /** What begins with a dash and is no option is text. */
  readonly anyText?: boolean
  /** Options of one dash and many letters, as find has them; true: a value follows. */
  readonly words?: Readonly<Record<string, boolean>>
  /** What the operands are. `pattern`: text first, paths after it, unless an option of `patternBy` gave the pattern. */
  readonly operands: 'paths' | 'text' | 'pattern' | 'revisions' | 'none'
  readonly patternBy?: string
  readonly maxOperands?: number
  /** Operands count as reading only with one of these options (long names, or letters). */
  readonly operandsNeed?: string
  /**
   * It prints what is in all files below its operands: always, or `by` one of these options; dot files left out but for one
   * of the options `hiddenBy`.
   */
  readonly recurses?: { readonly by?: string; readonly hiddenBy?: string }
}
