import { isDeepStrictEqual } from 'node:util'
import type { ToolDefinition } from '../../registry/index.js'
import { firstDifference } from '../first-difference.js'
import type { SampleRun } from '../run-sample.js'
import { labelOf } from '../show.js'

/**
 * The recorded call, read back as JSON, gives the cards that the editor got live: from the same tool once it has run again
 * elsewhere, and from one that was loaded anew.
 */
export function replayProblems(live: SampleRun, again: SampleRun, fresh: ToolDefinition): string[] {
  // Arguments that were refused never meet a presenter.
  if (live.body === 'refused') return []
  const label = labelOf(live.sample)
  const advice = 'A presenter may use its arguments and meta only, nothing that execute left in a variable.'
  return (['presentCall', 'presentResult'] as const).flatMap(method => {
    const shown = method === 'presentCall' ? live.callCard : live.resultCard
    return [again.tool, live.tool, fresh].flatMap(tool => {
      const replayed = present(tool, method, live)
      if (isDeepStrictEqual(plain(shown), plain(replayed))) return []
      return [
        `${label}: ${method} shows another card on replay: ${firstDifference(plain(shown), plain(replayed))}. ${advice}`,
      ]
    })
  })
}

function present(
  tool: ToolDefinition,
  method: 'presentCall' | 'presentResult',
  { sample, result }: SampleRun,
): unknown {
  const args = plain(sample.args) as Record<string, unknown>
  const { content, isError, meta } = result
  const logged = plain({ content, isError, meta }) as SampleRun['result']
  try {
    return method === 'presentCall' ? tool.presentCall?.(args) : tool.presentResult?.(args, logged)
  } catch {
    // The registry shows the generic card then.
    return undefined
  }
}

function plain(value: unknown): unknown {
  return value === undefined || value === null ? undefined : JSON.parse(JSON.stringify(value))
}
