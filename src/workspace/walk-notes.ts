import type { WalkSummary } from './walk.js'

/** What a walk left out, one sentence each, for the reader of a tool's result. */
export function toWalkNotes(summary: WalkSummary): string[] {
  const { secrets, secretPaths, linksOutside, unreadable, truncated, gitDirectory } = summary
  const more = secrets > secretPaths.length ? ' …' : ''
  return [
    secrets > 0 && `${count(secrets, 'file')} left out, whose name says secret: ${secretPaths.join(', ')}${more}.`,
    linksOutside > 0 && `${count(linksOutside, 'link')} out of the workspace not followed.`,
    unreadable > 0 && `${count(unreadable, 'directory', 'directories')} could not be read.`,
    truncated && 'The tree is too large: only its first part was looked at. Give a path further down.',
    gitDirectory && '.git directories are never walked; name a file inside to look at it.',
  ].filter(note => note !== false)
}

function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${value} ${value === 1 ? singular : plural}`
}
