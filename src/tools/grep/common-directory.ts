import { dirname, sep } from 'node:path'

/** The deepest directory that holds all of some absolute paths, with a separator at its end; empty if there is none. */
export function commonDirectory(paths: readonly string[]): string {
  let directory = withSeparator(dirname(paths[0] ?? ''))
  for (const path of paths) {
    while (!path.startsWith(directory)) {
      const parent = withSeparator(dirname(directory))
      if (parent === directory) return ''
      directory = parent
    }
  }
  return directory
}

function withSeparator(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep
}
