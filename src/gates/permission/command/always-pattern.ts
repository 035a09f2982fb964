import type { CommandWord } from './word.js'

/** Runners whose further words do not change what is run: they may be followed by anything once they are allowed. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['test', 'build', 'check', 'clippy'],
  go: ['test', 'build', 'vet'],
  npm: ['test'],
  pytest: [],
  tsc: [],
}

/** A longer one could not be read in the dialog. */
const MAX_LENGTH = 300

/**
 * What an always-answer remembers of a command: for the known runners with further words, else exactly its words.
 * Undefined as {@link toExactPattern} is.
 */
export function toAlwaysPattern(words: readonly CommandWord[]): string[] | undefined {
  const [name, first, second] = words.map(({ value }) => value)
  if (name === undefined) return undefined
  const runner = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined
  if (runner?.length === 0) return [name, '*']
  if (first !== undefined && runner?.includes(first)) return [name, first, '*']
  if (name === 'npm' && first === 'run' && second !== undefined && isPlainName(second))
    return [name, first, second, '*']
  return toExactPattern(words)
}

/** Exactly these words. Undefined if they are not all known, or could not be told from a rule with further words. */
export function toExactPattern(words: readonly CommandWord[]): string[] | undefined {
  const exact = words.flatMap(({ value }) => (value === undefined ? [] : [value]))
  if (exact.length < words.length || exact.includes('*') || exact.join(' ').length > MAX_LENGTH) return undefined
  return exact
}

function isPlainName(word: string): boolean {
  return !word.startsWith('-') && word !== '*'
}
