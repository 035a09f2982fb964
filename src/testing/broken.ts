import { HarnessError } from '../cards/index.js'

/** Throws CONTRACT_BROKEN with all problems, one after another; none is no error. */
export function refuse(problems: readonly string[]): void {
  const unique = [...new Set(problems)]
  if (unique.length === 0) return
  const shown = unique.slice(0, 10)
  const more = unique.length > shown.length ? [`… and ${unique.length - shown.length} more`] : []
  throw new HarnessError('CONTRACT_BROKEN', [...shown, ...more].join('\n'))
}
