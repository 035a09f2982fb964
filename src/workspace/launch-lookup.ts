import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The first of `candidates` that can be run: absolute paths, or names that are looked up on the PATH of `env`. Relative
 * entries of PATH do not count: they would depend on the directory. On Windows the endings of PATHEXT may be left out.
 */
export function findProgram(candidates: readonly string[], env: Variables = process.env): string | undefined {
  const folders = (readVariable(env, 'PATH') ?? '').split(delimiter).filter(isAbsolute)
  const endings = process.platform === 'win32' ? readVariable(env, 'PATHEXT') : ''
  for (const candidate of candidates) {
    for (const folder of isAbsolute(candidate) ? [''] : folders) {
      const path = folder === '' ? candidate : join(folder, candidate)
      const found = withEndings(path, endings).find(isProgram)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** The files that Windows takes for a program of this name; `endings` as PATHEXT has them, undefined where it is not set. */
export function withEndings(path: string, endings = '.COM;.EXE;.BAT;.CMD'): string[] {
  if (endings === '') return [path]
  return [path, ...endings.split(';').flatMap(ending => (ending === '' ? [] : [`${path}${ending}`]))]
}

function isProgram(path: string): boolean {
  try {
    // Missing is the usual case, on most folders of the PATH: it is told without an error, which costs more than the look.
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Windows does not tell the cases of a name apart, a copy of its environment does. */
function readVariable(env: Variables, name: string): string | undefined {
  if (process.platform !== 'win32' || env[name] !== undefined) return env[name]
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]
}
