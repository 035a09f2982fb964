import { HarnessError, type PlanEntry } from '../../cards/index.js'

const MAX_ENTRIES = 100
const MAX_CONTENT_LENGTH = 1000

/** An entry as the arguments have it. */
export type PlanEntryInput = Omit<PlanEntry, 'priority'> & Partial<Pick<PlanEntry, 'priority'>>

/** The whole plan, priorities filled in. Throws INVALID_ARGS for an empty or over-long entry and for too many. */
export function toPlan(entries: readonly PlanEntryInput[]): PlanEntry[] {
  if (entries.length > MAX_ENTRIES) {
    throw new HarnessError('INVALID_ARGS', `A plan has at most ${MAX_ENTRIES} entries, not ${entries.length}.`)
  }
  return entries.map(({ content, status, priority = 'medium' }, index) => {
    const trimmed = content.trim()
    if (trimmed === '') throw new HarnessError('INVALID_ARGS', `entries[${index}].content is empty.`)
    if (trimmed.length > MAX_CONTENT_LENGTH) {
      throw new HarnessError(
        'INVALID_ARGS',
        `entries[${index}].content has more than ${MAX_CONTENT_LENGTH} characters.`,
      )
    }
    return { content: trimmed, status, priority }
  })
}

/** `2 of 5 done`. */
export function toProgress(entries: readonly PlanEntryInput[]): string {
  if (entries.length === 0) return 'empty'
  return `${entries.filter(entry => entry.status === 'completed').length} of ${entries.length} done`
}
