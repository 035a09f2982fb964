import { toWalkNotes, type WalkSummary } from '../../workspace/index.js'
import type { Collected } from './collect.js'
import type { SearchTally } from './search.js'

export interface ReportInput {
  pattern: string
  /** Where was searched, as the reader knows it. */
  place: string
  glob: string | undefined
  collected: Collected
  tally: SearchTally
  summary: WalkSummary
}

/** The text of a search: its rows, then what was searched and what was left out, in square brackets. */
export function toReport(input: ReportInput): string {
  const { collected, tally, summary } = input
  const only = input.glob === undefined ? '' : `, only ${input.glob}`
  const searched = `${count(tally.filesSearched, 'file')} searched${only}`
  const notes = [...fullNotes(collected), ...tallyNotes(tally), ...toWalkNotes(summary)]
  if (collected.hitCount === 0) {
    return [
      `No match for ${JSON.stringify(input.pattern)} in ${input.place} (${searched}).`,
      ...[...notes, ...emptyNotes(input.pattern)].map(bracket),
    ].join('\n')
  }
  const hits = `${count(collected.hitCount, 'hit')} in ${count(collected.fileCount, 'file')}; ${searched}.`
  return [...collected.rows, ...[hits, ...notes].map(bracket)].join('\n')
}

/** `1 file`, `2 files`. */
export function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`
}

function bracket(note: string): string {
  return `[${note}]`
}

function fullNotes({ full, moreHits }: Collected): string[] {
  if (full === undefined) return []
  const more = `There ${moreHits === 1 ? 'is at least 1 more hit' : `are at least ${moreHits} more hits`}`
  const raise = full === 'results' ? ', or raise max_results' : ''
  return [`${more}: narrow pattern, path or glob${raise}.`]
}

function tallyNotes(tally: SearchTally): string[] {
  return [
    tally.filesBinary > 0 && `${count(tally.filesBinary, 'file')} left out, not text.`,
    tally.filesLarge > 0 && `${count(tally.filesLarge, 'file')} left out, over 10 MiB.`,
    tally.filesUnreadable > 0 && `${count(tally.filesUnreadable, 'file')} could not be read.`,
    tally.linesSkipped > 0 &&
      `${count(tally.linesSkipped, 'line')} left out: the pattern takes too long on them. Use fewer nested or adjacent quantifiers.`,
    tally.stopped === 'pattern' && 'The search ended early for that reason.',
    tally.stopped === 'time' && 'The search ended early: its time was up. Narrow path or glob.',
  ].filter(note => note !== false)
}

function emptyNotes(pattern: string): string[] {
  return [
    /\\n/.test(pattern) && 'The pattern is matched line by line, so \\n never matches.',
    'Hidden files and what .gitignore excludes are searched only where path or glob names them.',
  ].filter(note => note !== false)
}
