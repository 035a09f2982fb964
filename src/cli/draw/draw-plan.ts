import { type Line, span } from './styled.js'

interface PlanEntry {
  content: string
  status: string
}

/** A plan as an editor lists it. */
export function drawPlan(entries: readonly PlanEntry[]): Line[] {
  return [
    [span('Plan', 'accent')],
    ...entries.map(({ content, status }): Line => {
      if (status === 'completed') return [span('  ✓ ', 'ok'), span(content, 'dim')]
      return [
        span(status === 'in_progress' ? '  ▸ ' : '  ○ ', status === 'in_progress' ? 'running' : 'dim'),
        span(content),
      ]
    }),
  ]
}
