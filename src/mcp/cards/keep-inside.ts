import { oneLine, type ToolResultView } from '../../cards/index.js'

const MAX_NAMED = 10
const MAX_PATH_CHARS = 300

/**
 * A server's card with what an editor may open: a diff of a file outside the session's directories is not drawn, and `note`
 * names that file instead. Locations are looked at where they are sent.
 */
export function keepInside(
  card: ToolResultView,
  isInside: (path: string) => boolean,
): { card: ToolResultView; note: string | undefined } {
  if (card.card !== 'diff') return { card, note: undefined }
  const paths = [...new Set(card.diffs.map(({ path }) => path))]
  const outside = paths.filter(path => !isInside(path))
  if (outside.length === 0) return { card, note: undefined }
  const locations = paths.filter(isInside).map(path => ({ path }))
  const title = card.title === undefined ? {} : { title: card.title }
  return {
    card: { card: 'generic', ...title, ...(locations.length > 0 ? { locations } : {}) },
    note: toNote(outside),
  }
}

function toNote(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).map(path => oneLine(path, MAX_PATH_CHARS))
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
  return `[No diff is shown: the server says that it changed files outside the session's folders: ${named.join(', ')}${more}]`
}
