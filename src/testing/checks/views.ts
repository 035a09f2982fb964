import type { SampleRun } from '../run-sample.js'
import { labelOf } from '../show.js'
import { callViewProblems, resultViewProblems } from '../view-problems.js'

/** What the presenters return is a card, or undefined for the generic one. A session would only log what is wrong with it. */
export function viewProblems(run: SampleRun): string[] {
  const { sample, tool, result } = run
  // Arguments that were refused never meet a presenter.
  if (run.body === 'refused') return []
  const label = labelOf(sample)
  const call = tryCall(() => tool.presentCall?.(copy(sample.args)))
  const end = tryCall(() => tool.presentResult?.(copy(sample.args), copy(result)))
  const found = [
    ...named(`${label}: presentCall`, call, callViewProblems),
    ...named(`${label}: presentResult`, end, resultViewProblems),
    ...emptyTitle(`${label}: presentCall`, call.value),
  ]
  // It warns of a malformed card too, without the field.
  return found.length > 0 ? found : run.warnings.map(warning => `${label}: the registry warns: ${warning}`)
}

interface Answer {
  value?: unknown
  threw?: unknown
}

function named(at: string, { value, threw }: Answer, problems: (view: unknown) => string[]): string[] {
  if (threw !== undefined) return [`${at} throws: ${threw instanceof Error ? threw.message : String(threw)}`]
  return value === undefined || value === null ? [] : problems(value).map(problem => `${at}: ${problem}`)
}

function emptyTitle(at: string, view: unknown): string[] {
  const title = (view as { title?: unknown } | null | undefined)?.title
  return typeof title === 'string' && title.trim() === '' ? [`${at}: the title is blank`] : []
}

function tryCall(call: () => unknown): Answer {
  try {
    return { value: call() }
  } catch (threw) {
    return { threw }
  }
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}
