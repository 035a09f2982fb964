import { lstatSync } from 'node:fs'
import { dirname, join, resolve as toAbsolute } from 'node:path'
import { readCommand } from './command/read-command.js'
import type { Part } from './command/reading.js'
import type { OwnFiles } from './own-files.js'
import { expand, fitsName, isPattern, toNames } from './spoken-paths.js'

/** So many paths are looked up: words past that are not looked at. */
const MAX_LOOKUPS = 400
const MAX_FOLDERS = 8

export interface OwnInCommand {
  /** Absolute. */
  readonly cwd: string
  readonly ownFiles: OwnFiles
  /** Where an absolute path really leads. May reject. */
  resolve(path: string): Promise<{ realPath: string }>
}

/**
 * Which of Deckhand's own files a command names, as far as that shows in its words: in any quotes, behind a `cd`, as a pattern,
 * through links, as a variable that stands for a known folder (J3). What is put together while it runs is not seen.
 */
export async function findOwnInCommand(command: string, look: OwnInCommand): Promise<string | undefined> {
  const { ownFiles, cwd, resolve } = look
  const inText = ownFiles.findInText(command) ?? ownFiles.findInText(expand(command))
  if (inText !== undefined) return inText
  const words = await wordsOf(command)
  const moves = /(?:^|[\s;&|(])(?:cd|pushd|-C)(?:\s|$)/.test(command)
  const folders = moves ? [cwd, ...words.map(word => toAbsolute(cwd, word))].slice(0, MAX_FOLDERS) : [cwd]
  const realFolders = new Map<string, Promise<string | undefined>>()
  let lookups = 0
  for (const word of words) {
    for (const folder of folders) {
      if (++lookups > MAX_LOOKUPS) return undefined
      const path = toAbsolute(folder, word)
      const found = isPattern(word) ? findPattern(path, ownFiles) : await findPath(path, word)
      if (found !== undefined) return found
    }
  }
  return undefined

  async function findPath(path: string, word: string): Promise<string | undefined> {
    // Most words are names of nothing: they lead no further than the folder.
    if (!/[\\/]/.test(word) && !exists(path))
      return ownFiles.find(join((await toReal(dirname(path))) ?? dirname(path), word))
    const real = await resolve(path).catch(() => undefined)
    return real && ownFiles.find(real.realPath)
  }

  function toReal(folder: string): Promise<string | undefined> {
    const known = realFolders.get(folder)
    if (known) return known
    const real = resolve(folder).then(
      ({ realPath }) => realPath,
      () => undefined,
    )
    realFolders.set(folder, real)
    return real
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

function findPattern(path: string, ownFiles: OwnFiles): string | undefined {
  const pattern = toNames(path)
  return ownFiles.findMatch(own => {
    const names = toNames(own)
    return pattern.length >= names.length && names.every((name, index) => fitsName(pattern[index] ?? '', name))
  })
}

/** The words as a shell reads them, and the pieces of the text between signs, which hold what a reading leaves out. */
async function wordsOf(command: string): Promise<string[]> {
  const { parts } = await readCommand(command)
  const read = parts.flatMap(valuesOf)
  const pieces = command.split(/[\s;|&<>()'"`]+/)
  const words = new Set<string>()
  for (const word of [...read, ...pieces]) {
    // An option's value and the two sides of a colon may be paths too.
    for (const piece of [word, ...word.split(/[=:,]/)])
      if (piece !== '' && !piece.includes('\0')) words.add(expand(piece))
  }
  return [...words]
}

function valuesOf({ words, reads, inner }: Part): string[] {
  const own = [...words, ...reads].flatMap(({ value, text }) => value ?? text)
  return [...own, ...inner.flatMap(({ part }) => valuesOf(part))]
}
