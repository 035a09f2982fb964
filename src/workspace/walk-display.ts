import { relative, sep } from 'node:path'
import { isInside } from './resolve-path.js'

/** How a tool's text names a path: relative to `cwd` with `/` if it lies inside, else absolute; control characters escaped. */
export function toDisplayPath(path: string, cwd: string | undefined): string {
  const shown = cwd !== undefined && isInside(cwd, path) ? relative(cwd, path).split(sep).join('/') || '.' : path
  // A newline in a file's name would read as another hit.
  return shown.replace(/[\x00-\x1f\x7f]/g, char => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
