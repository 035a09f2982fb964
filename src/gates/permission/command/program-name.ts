import type { CommandWord } from './word.js'

/** The program behind a command's first word, for what must not be missed: `/bin/RM.exe` is `rm`. Undefined if not known. */
export function programOf(word: CommandWord | undefined): string | undefined {
  return word?.value === undefined ? undefined : toProgram(word.value)
}

/** As {@link programOf}, for a word of a rule. */
export function toProgram(word: string): string {
  // Only other letters have more than one form.
  const plain = /^[\x20-\x7e]*$/.test(word) ? word : word.normalize('NFKC').replace(/\p{Cf}/gu, '')
  const name = plain.slice(Math.max(plain.lastIndexOf('/'), plain.lastIndexOf('\\')) + 1).toLowerCase()
  return name.replace(/(?<=.)\.(exe|cmd|bat|com|ps1)$/, '')
}
