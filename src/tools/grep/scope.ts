import { compileGlob } from '../../workspace/index.js'

/** Where a search begins, and which files it takes. */
export function toScope(glob: string | undefined) {
  return glob === undefined ? { base: '', filter: undefined } : compileGlob(glob, { anyLevel: true })
}
