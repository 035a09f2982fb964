import { skipOptions } from './options.js'
import { programOf } from './program-name.js'
import type { Obstacle } from './reading.js'
import { type CommandWord, UNKNOWN_WORD } from './word.js'
import { EXEC_OPTIONS, WRAPPERS, type Wrapper } from './wrappers.js'

export interface InnerWords {
  /** Where the words begin in the outer command. */
  at: number
  words: readonly CommandWord[]
}

/** The commands that a command starts by its own arguments, one level deep. */
export function findInner(words: readonly CommandWord[]): { inner: InnerWords[]; obstacles: Obstacle[] } {
  const program = programOf(words[0])
  if (program === undefined || isLookup(words)) return { inner: [], obstacles: [] }
  const execOptions = EXEC_OPTIONS[program]
  if (execOptions) return findExecs(words, execOptions)
  const { wrapper, length } = findWrapper(program, words)
  if (!wrapper) return { inner: [], obstacles: [] }
  const { skip = 0, assignments, appends, obstacle } = wrapper
  let at = skipOptions(words, length, wrapper)
  if (assignments) while (/^[A-Za-z_]\w*=/.test(words[at]?.start ?? '')) at++
  at += skip
  const own = words.slice(at)
  return {
    inner: own.length === 0 ? [] : [{ at, words: appends ? [...own, UNKNOWN_WORD] : own }],
    obstacles: obstacle ? [obstacle] : [],
  }
}

function findWrapper(program: string, words: readonly CommandWord[]): { wrapper?: Wrapper; length: number } {
  const operands = words.slice(1, 3).map(({ value }) => value ?? '')
  for (const length of [3, 2, 1]) {
    const key = [program, ...operands.slice(0, length - 1)].join(' ')
    if (Object.hasOwn(WRAPPERS, key) && words.length >= length) return { wrapper: WRAPPERS[key]!, length }
  }
  return { length: 1 }
}

function findExecs(words: readonly CommandWord[], options: readonly string[]): ReturnType<typeof findInner> {
  const inner: InnerWords[] = []
  for (let index = 1; index < words.length; index++) {
    if (!options.includes(words[index]?.value ?? '')) continue
    const at = index + 1
    while (index + 1 < words.length && ![';', '+'].includes(words[index + 1]?.value ?? '')) index++
    inner.push({ at, words: words.slice(at, index + 1) })
  }
  return { inner, obstacles: inner.length > 0 ? ['it runs a command for what it finds'] : [] }
}

/** `command -v node` only says where node is. */
function isLookup([name, option]: readonly CommandWord[]): boolean {
  return name?.value === 'command' && (option?.value === '-v' || option?.value === '-V')
}
