import type { CommandWord } from './word.js'

/** Which options of a program take a value of their own: short ones as letters, long ones with their dashes. */
export interface OptionSpec {
  readonly values?: string
  readonly longValues?: readonly string[]
}

/**
 * Where the operands begin: behind the options from `from` on. A word that is not known ends the options, so that whoever
 * reads it next meets it.
 */
export function skipOptions(
  words: readonly CommandWord[],
  from: number,
  { values = '', longValues = [] }: OptionSpec,
): number {
  let index = from
  for (; index < words.length; index++) {
    const value = words[index]?.value
    if (value === undefined || !value.startsWith('-')) return index
    if (value === '--') return index + 1
    if (takesNext(value, values, longValues)) index++
  }
  return Math.min(index, words.length)
}

function takesNext(option: string, values: string, longValues: readonly string[]): boolean {
  if (option.startsWith('--')) return longValues.includes(option)
  const letters = option.slice(1)
  const at = [...letters].findIndex(letter => values.includes(letter))
  return at >= 0 && at === letters.length - 1
}
