import { GIT_GLOBALS } from './git-look-table.js'
import type { LookSpec } from './look-spec.js'
import { LOOKS } from './look-table.js'
import { VERSION_PROGRAMS } from './version-programs.js'
import { type CommandWord, staticWord } from './word.js'

/** A command that only looks, and what it looks at. */
export interface LookCall {
  readonly isGit: boolean
  /** Words that are paths, or patterns for paths. */
  readonly paths: readonly CommandWord[]
  /** Words that are text, but stand for file names if they are patterns. */
  readonly texts: readonly CommandWord[]
  /** It prints what is in all files below its paths. */
  readonly recurses?: { readonly hidden: boolean }
}

/** Reads a command as one that only looks; undefined if it is none, or has an option that is not known. */
export function toLookCall(words: readonly CommandWord[]): LookCall | undefined {
  const [name, first] = words
  // A path names another program than the one that is known.
  if (!name?.value || !/^[\w.+-]+$/.test(name.value)) return undefined
  if (words.length === 2 && first?.value === '--version') {
    return VERSION_PROGRAMS.has(name.value) ? { isGit: false, paths: [], texts: [] } : undefined
  }
  if (name.value !== 'git') return readCall(LOOKS[own(name.value)], words.slice(1), false)
  let at = 1
  while (GIT_GLOBALS.includes(words[at]?.value ?? '')) at++
  return readCall(LOOKS[own(`git ${words[at]?.value ?? ''}`)], words.slice(at + 1), true)
}

function own(key: string): string {
  return Object.hasOwn(LOOKS, key) ? key : ''
}

function readCall(spec: LookSpec | undefined, args: readonly CommandWord[], isGit: boolean): LookCall | undefined {
  if (!spec) return undefined
  const seen = new Set<string>()
  const paths: CommandWord[] = []
  const operands: CommandWord[] = []
  let index = 0
  const next = () => args[++index]
  for (; index < args.length; index++) {
    const word = args[index]!
    const { value } = word
    if (value === undefined) {
      if (!word.glob) return undefined
      operands.push(word)
    } else if (value === '--') {
      operands.push(...args.slice(index + 1))
      break
    } else if (spec.words && Object.hasOwn(spec.words, value)) {
      if (spec.words[value] && next()?.value === undefined) return undefined
    } else if (!value.startsWith('-') || value === '-') {
      operands.push(word)
    } else if (!readOption(spec, value, seen, paths, next)) {
      if (!spec.anyText) return undefined
      operands.push(word)
    }
  }
  if (operands.some(({ value, glob }) => value === undefined && !glob)) return undefined
  if (operands.length > (spec.maxOperands ?? Number.POSITIVE_INFINITY)) return undefined
  if (spec.operands === 'none' && operands.length > 0) return undefined
  if (spec.operandsNeed && operands.length > 0 && !hasAny(seen, spec.operandsNeed)) return undefined
  if (spec.operands === 'text') return { isGit, paths, texts: operands }
  const isPattern = spec.operands === 'pattern' && !hasAny(seen, spec.patternBy ?? '')
  const texts = isPattern ? operands.slice(0, 1) : []
  const files = isPattern ? operands.slice(1) : operands
  const { by, hiddenBy } = spec.recurses ?? {}
  const recurses = spec.recurses && (by === undefined || hasAny(seen, by))
  return {
    isGit,
    texts,
    paths: [...paths, ...(recurses && files.length === 0 ? [staticWord('.')] : files)],
    ...(recurses ? { recurses: { hidden: !hiddenBy || hasAny(seen, hiddenBy) } } : {}),
  }
}

/** Takes one option; false if the list does not know it. */
function readOption(
  spec: LookSpec,
  option: string,
  seen: Set<string>,
  paths: CommandWord[],
  next: () => CommandWord | undefined,
): boolean {
  if (spec.numbers && /^-\d+$/.test(option)) return true
  if (option.startsWith('--')) {
    const [name = '', ...rest] = option.slice(2).split('=')
    seen.add(name)
    const value = rest.length > 0 ? staticWord(rest.join('=')) : undefined
    if (has(spec.long, name)) return true
    if (has(spec.longValues, name)) return (value ?? next())?.value !== undefined
    if (!has(spec.longFiles, name)) return false
    return takePath(value ?? next(), paths)
  }
  if (spec.words) return false
  for (let at = 1; at < option.length; at++) {
    const letter = option[at]!
    seen.add(letter)
    if (spec.flags?.includes(letter)) continue
    const rest = option.slice(at + 1)
    if (spec.glued?.includes(letter)) return true
    const value = rest === '' ? undefined : staticWord(rest)
    if (spec.counts?.includes(letter)) return /^[+-]?\d+[a-zA-Z]{0,2}$/.test((value ?? next())?.value ?? '')
    if (spec.values?.includes(letter)) return (value ?? next())?.value !== undefined
    if (spec.files?.includes(letter)) return takePath(value ?? next(), paths)
    return false
  }
  return true
}

function takePath(word: CommandWord | undefined, paths: CommandWord[]): boolean {
  if (word?.value === undefined) return false
  paths.push(word)
  return true
}

function has(list: string | undefined, name: string): boolean {
  return list?.split(/\s+/).includes(name) === true
}

function hasAny(seen: ReadonlySet<string>, list: string): boolean {
  return list.split(/\s+/).some(name => seen.has(name))
}
