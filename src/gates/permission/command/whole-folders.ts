import { skipOptions } from './options.js'
import { programOf } from './program-name.js'
import type { CommandWord } from './word.js'

/** How far a command reaches into a folder that it names: into all below, or no deeper than its own files. */
export type Reach = 'all' | 'files'

export interface NamedFolder {
  /** The word that names it; undefined: the folder that the command runs in. */
  readonly word: CommandWord | undefined
  readonly reach: Reach
}

const REMOVE = new Set('rm rmdir unlink shred rd del erase remove-item trash trash-put rimraf'.split(' '))
const MOVE = new Set('mv move ren rename'.split(' '))
const CHANGE = new Set('chmod chown chgrp chattr setfacl icacls takeown'.split(' '))
/** What copies, packs or prints files of folders, or puts some there. */
const COPY = new Set(
  `cp copy xcopy robocopy scp install ln tar bsdtar cpio pax zip unzip 7z grep egrep fgrep rg ag ack diff`.split(/\s+/),
)
const FIND_FILTERS = /^-(i?name|i?path|i?regex|newer|[acm](time|min)|size|empty|user|group|perm)/
const TARGET = /^(-t|--target-directory)$/

/** The folders that a command removes, moves, copies, or reads as a whole. Options are among the words. */
export function findWholeFolders(words: readonly CommandWord[]): NamedFolder[] {
  const program = programOf(words[0]) ?? ''
  const args = words.slice(1)
  const has = (pattern: RegExp) => args.some(({ start }) => pattern.test(start))
  const all = (reach: Reach) => [undefined, ...args].map(word => ({ word, reach }))
  if (REMOVE.has(program)) return named(args, 'all')
  if (MOVE.has(program)) return moved(args)
  if (CHANGE.has(program)) return named(args, has(/^(--recursive|-[a-zA-Z]*R)/) ? 'all' : 'files')
  if (program === 'rsync') return named(args, has(/^--(delete|remove-source-files)/) ? 'all' : 'files')
  if (program === 'git') {
    const isClean = args[skipOptions(args, 0, { values: 'Cc' })]?.value === 'clean'
    return isClean ? all('all') : []
  }
  if (program === 'find') {
    if (!has(/^-(delete|exec|ok)/)) return []
    return all(args.some(({ value }) => FIND_FILTERS.test(value ?? '')) ? 'files' : 'all')
  }
  return COPY.has(program) ? all('files') : []
}

function named(args: readonly CommandWord[], reach: Reach): NamedFolder[] {
  return args.map(word => ({ word, reach }))
}

/** What is moved goes as a whole; where it goes, files are put. */
function moved(args: readonly CommandWord[]): NamedFolder[] {
  const target = args.findIndex(({ value }) => TARGET.test(value ?? ''))
  const to = target < 0 ? args.length - 1 : target + 1
  return args.map((word, index) => ({ word, reach: index === to ? 'files' : 'all' }))
}
