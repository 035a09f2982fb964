import { skipOptions } from './options.js'
import { programOf, toProgram } from './program-name.js'
import type { CommandWord } from './word.js'

/** How many of a command's words an allow rule spells out; undefined if it does not fit. Every word must be known. */
export function matchAllowRule(rule: readonly string[], words: readonly CommandWord[]): number | undefined {
  const hasRest = rule.length > 1 && rule.at(-1) === '*'
  const fixed = hasRest ? rule.slice(0, -1) : rule
  if (hasRest ? words.length < fixed.length : words.length !== fixed.length) return undefined
  return fixed.every((word, index) => words[index]?.value === word) ? fixed.length : undefined
}

export type Fit = 'yes' | 'maybe' | 'no'

/**
 * Whether a deny or ask rule fits: by the program, wherever it lies and however it is spelled, and the words after it, with
 * or without options before them. `maybe`: what is not known may make it fit.
 */
export function matchStrictRule(rule: readonly string[], words: readonly CommandWord[]): Fit {
  const [name, ...args] = words
  const program = programOf(name)
  if (program !== undefined && program !== toProgram(rule[0] ?? '')) return 'no'
  const certain: Fit = program === undefined ? 'maybe' : 'yes'
  const wanted = rule.slice(1)
  const fit = fitWords(wanted, args)
  if (fit === 'yes') return certain
  const options = program === undefined ? undefined : GLOBAL_OPTIONS[program]
  const bare = options ? args.slice(skipOptions(args, 0, options)) : args
  if (wanted.length > 0 && bare.length < args.length && fitWords(wanted, bare) === 'yes') return certain
  if (fit === 'maybe' || (args[0]?.start.startsWith('-') && fitsBehindOptions(wanted, args))) return 'maybe'
  return 'no'
}

/** Options that may stand before the subcommand. */
const GLOBAL_OPTIONS: Readonly<Record<string, { values?: string; longValues?: readonly string[] }>> = {
  cargo: { values: 'CZ', longValues: ['--config', '--color', '--manifest-path'] },
  docker: { values: 'cHl', longValues: ['--config', '--context', '--host', '--log-level'] },
  git: { values: 'Cc', longValues: ['--git-dir', '--work-tree', '--namespace', '--config-env', '--super-prefix'] },
  go: { values: 'C' },
  kubectl: {
    values: 'ns',
    longValues: ['--namespace', '--context', '--kubeconfig', '--server', '--user', '--cluster'],
  },
  npm: { values: 'Cw', longValues: ['--prefix', '--workspace', '--loglevel'] },
  pnpm: { values: 'CF', longValues: ['--dir', '--filter'] },
  yarn: { longValues: ['--cwd'] },
}

function fitWords(wanted: readonly string[], args: readonly CommandWord[]): Fit {
  for (const [index, word] of wanted.entries()) {
    if (word === '*' && index === wanted.length - 1) return 'yes'
    const arg = args[index]
    if (arg === undefined) return 'no'
    if (arg.value === undefined) return couldBe(arg, word) ? 'maybe' : 'no'
    if (arg.value !== word) return 'no'
  }
  if (args.length === wanted.length) return 'yes'
  // What is left may come to nothing.
  return args.slice(wanted.length).every(arg => arg.value === undefined && arg.start === '') ? 'maybe' : 'no'
}

function couldBe({ start }: CommandWord, word: string): boolean {
  return word.startsWith(start)
}

/** An unknown option may take the next word as its value, or not: every place behind options counts. */
function fitsBehindOptions(wanted: readonly string[], args: readonly CommandWord[]): boolean {
  return args.some((_, index) => index > 0 && fitWords(wanted, args.slice(index)) !== 'no')
}
