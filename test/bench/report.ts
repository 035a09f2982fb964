import type { Budget, Sample } from './works/work.js'

/** What came of a work: for each contestant and figure the median of its runs. */
export interface Result {
  name: string
  title: string
  against?: string
  medians: Record<string, Record<string, number>>
  verdicts: readonly Verdict[]
  failures: readonly string[]
}

export interface Verdict {
  figure: string
  budget: number
  reached: number
  kind: 'ratio' | 'most'
  isMet: boolean
}

export function median(values: readonly number[]): number {
  const sorted = values.filter(value => !Number.isNaN(value)).sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** The median of each figure. */
export function toMedians(samples: readonly Sample[]): Record<string, number> {
  const figures = new Set(samples.flatMap(sample => Object.keys(sample)))
  return Object.fromEntries(
    [...figures].map(figure => [figure, median(samples.map(sample => sample[figure] ?? Number.NaN))]),
  )
}

export function toVerdicts(
  budgets: readonly Budget[],
  ours: Record<string, number> | undefined,
  floor: Record<string, number> | undefined,
): Verdict[] {
  return budgets.map(budget => {
    const { figure } = budget
    const own = ours?.[figure] ?? Number.NaN
    if ('most' in budget) return { figure, kind: 'most', budget: budget.most, reached: own, isMet: own <= budget.most }
    const reached = own / (floor?.[figure] ?? Number.NaN)
    return { figure, kind: 'ratio', budget: budget.ratio, reached, isMet: reached <= budget.ratio }
  })
}

/** One work as a Markdown table, with its ratios and what became of its budgets. */
export function toMarkdown({ title, against, medians, verdicts, failures }: Result): string {
  const names = Object.keys(medians)
  const figures = [...new Set(names.flatMap(name => Object.keys(medians[name] ?? {})))]
  const floor = against === undefined ? undefined : medians[against]
  const compared = floor ? names.filter(name => name !== against) : []
  const rows = figures.map(figure => {
    const cells = names.map(name => format(medians[name]?.[figure]))
    const ratios = compared.map(name => {
      const ratio = (medians[name]?.[figure] ?? Number.NaN) / (floor?.[figure] ?? Number.NaN)
      return Number.isFinite(ratio) ? `${format(ratio)}×` : ''
    })
    const verdict = verdicts.find(each => each.figure === figure)
    return `| ${[figure, ...cells, ...ratios, toText(verdict)].join(' | ')} |`
  })
  const head = ['', ...names, ...compared.map(name => `${name} / ${against}`), 'budget']
  return [
    `### ${title}`,
    '',
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows,
    ...failures.map(failure => `\nFailed: ${failure}`),
    '',
  ].join('\n')
}

function toText(verdict: Verdict | undefined): string {
  if (!verdict) return ''
  const limit = verdict.kind === 'ratio' ? `≤ ${verdict.budget}×` : `≤ ${verdict.budget}`
  return `${limit} ${verdict.isMet ? 'met' : '**missed**'}`
}

function format(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ''
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}
