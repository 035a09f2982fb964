import { resolve as toAbsolute } from 'node:path'
import { AS_CODE } from './command/find-code.js'
import { programOf } from './command/program-name.js'
import { readCommand } from './command/read-command.js'
import type { Part } from './command/reading.js'
import { findWholeFolders, type Reach } from './command/whole-folders.js'
import type { CommandWord } from './command/word.js'
import type { OwnInCommand } from './own-in-command.js'
import { expand, fitsName, isPattern, toNames } from './spoken-paths.js'

export interface OwnFoldersInCommand extends OwnInCommand {
  readonly roots: readonly string[]
}

const MAX_LOOKUPS = 400
const MAX_FOLDERS = 8

/**
 * Which of Deckhand's own files a command reaches by a folder that it removes, moves, copies or reads as a whole, as far as
 * that shows in its words (J3). What is put together while it runs is not seen.
 */
export async function findOwnByFolder(command: string, look: OwnFoldersInCommand): Promise<string | undefined> {
  const { ownFiles, cwd, roots, resolve } = look
  const reading = await readCommand(command)
  const parts = reading.parts.flatMap(withInner)
  const whole = parts.flatMap(part => findWholeFolders(part.words))
  const runsCode = reading.obstacles.includes(AS_CODE)
  if (whole.length === 0 && !runsCode && !reading.isUncertain) return undefined

  const around = ownFiles.foldersAround(roots)
  // Code of another language, and what could not be read: to name the folder is enough.
  const hidden =
    runsCode || reading.isUncertain || whole.some(({ word }) => word && !word.glob && word.value === undefined)
  if (hidden) {
    const named = around.find(({ isNamedIn }) => isNamedIn(command) || isNamedIn(expand(command)))
    if (named) return named.what
  }
  const folders = [cwd, ...parts.flatMap(movesTo).map(folder => toAbsolute(cwd, folder))].slice(0, MAX_FOLDERS)
  let lookups = 0
  for (const { word, reach } of whole) {
    for (const folder of folders) {
      if (++lookups > MAX_LOOKUPS) return undefined
      const found = await findAt(word === undefined ? folder : toAbsolute(folder, spoken(word)), reach)
      if (found !== undefined) return found
    }
  }
  return undefined

  async function findAt(path: string, reach: Reach): Promise<string | undefined> {
    if (isPattern(path)) return findPattern(path, reach)
    const real = await resolve(path).then(
      ({ realPath }) => realPath,
      () => path,
    )
    if (reach === 'all') return ownFiles.findBelow(real) ?? ownFiles.findBelow(path)
    return around.find(({ folder }) => isSame(folder, real) || isSame(folder, path))?.what
  }

  function findPattern(path: string, reach: Reach): string | undefined {
    const pattern = toNames(path)
    const fits = (names: readonly string[]) => pattern.every((sign, index) => fitsName(sign, names[index] ?? ''))
    if (reach === 'all') {
      return ownFiles.findMatch(own => {
        const names = toNames(own)
        return pattern.length <= names.length && fits(names)
      })
    }
    return around.find(({ folder }) => toNames(folder).length === pattern.length && fits(toNames(folder)))?.what
  }
}

function withInner(part: Part): Part[] {
  return [part, ...part.inner.flatMap(({ part: own }) => withInner(own))]
}

/** Where `cd` and its like lead. */
function movesTo({ words }: Part): string[] {
  const program = programOf(words[0])
  return program === 'cd' || program === 'pushd' ? words.slice(1).map(spoken) : []
}

function spoken({ value, text }: CommandWord): string {
  // An option's value may be a path too.
  return expand((value ?? text).replace(/^--?[\w-]+=/, '').replace(/["']/g, ''))
}

function isSame(one: string, other: string): boolean {
  return toAbsolute(one) === toAbsolute(other)
}
