import { basename, resolve } from 'node:path'
import { isSecretName } from '../../../workspace/index.js'
import type { CommandContext } from './decision.js'
import { expandGlob, fitsGlob, lastSegment } from './expand-glob.js'
import { findSecretBelow } from './find-secret-below.js'
import { findGitSettingsTrouble } from './git-settings.js'
import type { LookCall } from './look-call.js'
import type { CommandWord } from './word.js'

/** Where a command runs. Real paths. */
export interface Place {
  readonly folder: string
  readonly roots: readonly string[]
  readonly resolve: CommandContext['resolve']
  readonly searchPath: string
}

const MAX_PATHS = 300

/** Why a command that only looks has to be asked about: what it would look at. A clause; undefined: nothing. */
export async function findLookTrouble(call: LookCall, place: Place): Promise<string | undefined> {
  const { isGit, paths, texts, recurses } = call
  if (isGit && !place.roots.includes(place.folder)) {
    // A repository below could bring settings of its own, which make git run programs.
    return 'git would run in a folder that is no root of the workspace, with the settings of what is there'
  }
  const settings = isGit ? await findGitSettingsTrouble(place.folder) : undefined
  if (settings) return settings
  if (paths.length > MAX_PATHS) return 'it names too many files to be looked through'
  for (const { glob } of texts) {
    const trouble = glob && (await findGlobTrouble(glob, place))
    if (trouble) return trouble
  }
  for (const word of paths) {
    const trouble = await findPathWordTrouble(word, place, isGit)
    if (trouble) return trouble
    if (!recurses || word.value === undefined) continue
    const secret = await findSecretBelow(resolve(place.folder, word.value), recurses.hidden)
    if (secret === 'too-many') return `there is too much below ${word.text} to see whether secrets are in it`
    if (secret) return `it would read ${secret}, whose name says that it holds secrets`
  }
  return undefined
}

/** As {@link findLookTrouble}, for one word that is a path. */
export async function findPathWordTrouble(
  { value, glob, text }: CommandWord,
  place: Place,
  isGit = false,
): Promise<string | undefined> {
  if (glob) return findGlobTrouble(glob, place)
  if (value === undefined) return `which file ${text} is shows only when it runs`
  // git names the content of a commit as COMMIT:PATH.
  const path = isGit && value.includes(':') ? value.slice(value.lastIndexOf(':') + 1) : value
  return (await findPathTrouble(value, place)) ?? (path === value ? undefined : findPathTrouble(path, place))
}

async function findPathTrouble(name: string, { folder, resolve: follow }: Place): Promise<string | undefined> {
  // Behind a link, `..` is not the folder that the link stands in.
  if (/[^./\\][^/\\]*[/\\]+\.\.([/\\]|$)/.test(name)) return `where ${name} leads is not plain`
  const path = resolve(folder, name)
  if (isSecretName(basename(path))) return `the name ${basename(path)} says that it holds secrets`
  try {
    const { realPath, inside } = await follow(path)
    if (!inside) return `${name} is outside the workspace`
    const real = basename(realPath)
    if (isSecretName(real)) return `${name} leads to ${real}, whose name says that it holds secrets`
  } catch {
    return `where ${name} leads cannot be found out`
  }
  return undefined
}

/** Hidden files that a pattern is likely to be for, whether or not they are there now. */
const HIDDEN_SECRETS = ['.env', '.env.local', '.npmrc', '.netrc', '.git-credentials']

async function findGlobTrouble(glob: NonNullable<CommandWord['glob']>, place: Place): Promise<string | undefined> {
  const leading = glob.slice(
    0,
    glob.findIndex(token => typeof token !== 'string'),
  )
  const start = leading.join('')
  const base = start.slice(0, start.lastIndexOf('/') + 1)
  const outside = base && (await findPathTrouble(base, place))
  if (outside) return outside
  const last = lastSegment(glob)
  const written = last.map(token => (typeof token === 'string' ? token : token.any)).join('')
  if (isSecretName(written) || (last.length < 100 && HIDDEN_SECRETS.some(name => fitsGlob(last, name)))) {
    return `the pattern ${written} fits names of files that hold secrets`
  }
  const names = await expandGlob(glob, place.folder)
  if (names === undefined) return 'a pattern in it fits too many names'
  for (const name of names) {
    if (name.startsWith('-')) return `a pattern in it fits ${name}, which would be taken for an option`
    const trouble = await findPathTrouble(name, place)
    if (trouble) return trouble
  }
  return undefined
}
