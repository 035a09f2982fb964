import { realpathSync, statSync } from 'node:fs'
import { basename, delimiter, isAbsolute, resolve, sep } from 'node:path'
import { isInside } from '../../../workspace/index.js'

/** Every POSIX shell runs these itself. */
const BUILTINS = new Set(['echo', 'false', 'printf', 'pwd', 'true'])
const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', '.com', ''] : ['']
/** Programs that stand in for others, and let files of the folder choose which. */
const STAND_INS = new Set([
  'asdf',
  'corepack',
  'fnm',
  'mise',
  'nodenv',
  'proto',
  'pyenv',
  'rbenv',
  'rtx',
  'rustup',
  'volta-shim',
])

export interface ProgramSearch {
  /** Where the command runs, and the roots. Real paths. */
  readonly folder: string
  readonly roots: readonly string[]
  /** As the variable PATH has it. */
  readonly searchPath: string
}

/**
 * Why a program that is known by its name may be another one, which the workspace brings or chooses. A clause; undefined: it
 * is not, or there is none.
 */
export function findProgramTrouble(name: string, search: ProgramSearch): string | undefined {
  if (BUILTINS.has(name)) return undefined
  const { folder, roots, searchPath } = search
  for (const entry of searchPath.split(delimiter)) {
    // An empty entry is the folder that the command runs in.
    const at = resolve(folder, entry)
    for (const ending of ENDINGS) {
      const path = resolve(at, name + ending)
      if (!isFile(path)) continue
      // Where cd leads is not known in every case: a relative entry is never a plain place.
      if (!isAbsolute(entry)) return `${name} would be looked for in the folder that it runs in`
      const real = realPathOf(path)
      if (roots.some(root => isInside(root, path) || isInside(root, real))) {
        return `${name} would be the program ${path}, which stands in the workspace or leads there`
      }
      return isStandIn(path, real) ? `files of the folder choose which ${name} runs (${path})` : undefined
    }
  }
  return undefined
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

function isStandIn(path: string, real: string): boolean {
  const names = [...path.split(sep), ...real.split(sep)].map(part => part.toLowerCase())
  const program = basename(real)
    .toLowerCase()
    .replace(/\.(exe|cmd)$/, '')
  return STAND_INS.has(program) || names.includes('corepack') || (names.includes('shims') && !names.includes('scoop'))
}
