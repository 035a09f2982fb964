import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../version.js'

interface CachingModule {
  enableCompileCache?: (directory: string) => unknown
}

/**
 * Lets Node keep compiled code in `<state>/compile-cache/<version>`, owner only, from 22.1 on: what is loaded after this call is
 * compiled once and not at each start. Node itself checks that a copy is whole and of the same source. A directory that cannot
 * be written costs the time alone.
 */
export function keepCompiled(stateDir: string, node: object = process.getBuiltinModule('node:module')): void {
  const { enableCompileCache } = node as CachingModule
  if (!enableCompileCache) return
  const directory = join(stateDir, 'compile-cache', version)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    enableCompileCache(directory)
  } catch {}
}
