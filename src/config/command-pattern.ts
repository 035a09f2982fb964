import { split } from 'shlex'

/**
 * The words of a rule on commands, split as a shell would, quotes removed. A last word `*` stands for any further words,
 * none included. Throws an Error whose message is for the user; see `findPatternFault`.
 */
export function parseCommandPattern(pattern: string): string[] {
  const fault = findPatternFault(pattern)
  if (fault !== undefined) throw new Error(fault)
  return split(pattern)
}

/** What is wrong with a rule on commands; undefined if nothing is. */
export function findPatternFault(pattern: string): string | undefined {
  const words = splitWords(pattern)
  if (words === undefined) return 'expected words with closed quotes'
  if (words.length === 0 || words[0] === '') return 'expected a command'
  if (words[0]?.includes('*')) return 'expected a command before the *'
  if (/[\n\r\0]/.test(pattern)) return 'expected one line'
  // A rule names one command; a line that joins several is judged part by part.
  if (splitWords(pattern.replace(/&&|\|\|?|;|&/g, ' ; '))?.some(word => word === ';')) {
    return 'expected one command: each part of a composed command is looked up by itself'
  }
  const star = words.findIndex(word => word.includes('*'))
  if (star >= 0 && (words[star] !== '*' || star !== words.length - 1)) {
    return 'expected * only as the last word, where it stands for any further words'
  }
  return undefined
}

function splitWords(pattern: string): string[] | undefined {
  try {
    return split(pattern)
  } catch {
    return undefined
  }
}
