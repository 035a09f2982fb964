import type { CommandRule } from './decision.js'
import { toProgram } from './program-name.js'

/**
 * The rule whose words all stand somewhere in a text that could not be read: enough to deny it, since nothing says that they
 * do not run.
 */
export function findDeniedWords(text: string, rules: readonly CommandRule[]): CommandRule | undefined {
  const plain = text.replace(/\\\r?\n/g, '').replace(/["'\\]/g, '')
  const words = new Set(plain.split(/[\s;&|()<>{}`$=,]+/))
  const programs = new Set([...words].map(toProgram))
  return rules.find(({ words: [name = '', ...others] }) => {
    return programs.has(toProgram(name)) && others.every(word => word === '*' || words.has(word))
  })
}
