import { toWalkNotes } from '../../workspace/index.js'
import type { Found } from './find.js'

/** The text of a glob: one path per line, then what was left out, in square brackets. */
export function toReport(pattern: string, path: string | undefined, found: Found): string {
  const notes = found.summary === undefined ? [] : toWalkNotes(found.summary)
  if (found.more)
    notes.unshift(`Only the first ${found.paths.length} in path order; there are more. Narrow the pattern or path.`)
  const lines =
    found.paths.length > 0
      ? found.paths
      : [`Nothing matches ${pattern} in ${path ?? 'the working directory'}.`, ...emptyNotes(pattern).map(bracket)]
  return [...lines, ...notes.map(bracket)].join('\n')
}

function bracket(note: string): string {
  return `[${note}]`
}

function emptyNotes(pattern: string): string[] {
  return [
    !pattern.includes('/') && `Without a slash a pattern matches one level only; for all levels: **/${pattern}`,
    'Hidden files are found only where the pattern names them (.*), what .gitignore excludes only where it begins with it.',
  ].filter(note => note !== false)
}
