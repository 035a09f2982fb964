import { assertNever } from './assert-never.js'
import { text } from './content.js'
import type { FileChange } from './file-change.js'
import type { ToolResultView } from './views.js'

/**
 * The card of a file change: its hunks as a diff, else a text that names the path and says what happened. A deletion and a
 * move have a title; other cards keep the call's, unless the title must say what the hunks do not show.
 */
export function fileChangeView(change: FileChange): ToolResultView {
  const { path, movedFrom = 'another path' } = change
  switch (change.type) {
    case 'created':
      return change.hunks.length > 0 ? diff(change, `Create ${path}`, false) : note(change, `Created ${path}.`)
    case 'modified':
      return change.hunks.length > 0 ? diff(change, `Edit ${path}`, false) : note(change, `Changed ${path}.`)
    case 'deleted':
      return change.hunks.length > 0
        ? diff(change, `Delete ${path}`, true)
        : note(change, `Deleted ${path}.`, `Delete ${path}`)
    case 'moved':
      return change.hunks.length > 0
        ? diff(change, `Move ${movedFrom} to ${path}`, true)
        : note(change, `Moved ${movedFrom} to ${path}.`, `Move ${movedFrom} to ${path}`)
    case 'unchanged':
      return note(change, `Nothing changed in ${path}.`)
    default:
      return assertNever(change.type)
  }
}

function diff(change: FileChange, title: string, alwaysTitled: boolean): ToolResultView {
  const full = change.reason === undefined ? title : `${title}: ${change.reason}`
  const titled = alwaysTitled || change.reason !== undefined
  return { card: 'diff', ...(titled && { title: full }), diffs: change.hunks }
}

/** A deleted file is no place to go to: it gives no location. */
function note(change: FileChange, what: string, title?: string): ToolResultView {
  return {
    card: 'generic',
    ...(title !== undefined && { title }),
    content: [text(change.reason === undefined ? what : `${what} ${change.reason}`)],
    ...(change.type !== 'deleted' && { locations: [{ path: change.path }] }),
  }
}
