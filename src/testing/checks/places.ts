import { resolve } from 'node:path'
import type { ToolCallView, ToolResultView } from '../../cards/index.js'
import type { SampleRun } from '../run-sample.js'
import type { TreeEntry } from '../scratch-tree.js'
import { labelOf } from '../show.js'

/**
 * Each path of a card is one file: absolute, or relative to the session's directory, never to that of the process. A call that
 * failed may name a file that is not there.
 */
export function placeProblems(run: SampleRun): string[] {
  return [...cardProblems(run, 'presentCall', run.callCard), ...cardProblems(run, 'presentResult', run.resultCard)]
}

function cardProblems(run: SampleRun, method: string, view: ToolCallView | ToolResultView | undefined): string[] {
  if (view === undefined) return []
  const locations = 'locations' in view ? (view.locations ?? []) : []
  const diffs = view.card === 'diff' ? view.diffs : []
  return [
    ...locations.map(({ path }, index) => pathProblem(run, path, `locations[${index}]`)),
    ...diffs.map(({ path }, index) => pathProblem(run, path, `diffs[${index}].path`)),
  ].flatMap(problem => (problem === undefined ? [] : [`${labelOf(run.sample)}: ${method}: ${problem}`]))
}

function pathProblem(run: SampleRun, path: string, at: string): string | undefined {
  const { agent, before, after, result } = run
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return `${at} is a URL (${path}): give a path.`
  const absolute = resolve(agent.cwd, path)
  if (!/^(\/|[a-z]:[\\/]|\\\\)/i.test(absolute)) return `${at} is no path: ${path}`
  const entry: TreeEntry | undefined = after.get(absolute) ?? before.get(absolute)
  if (entry?.kind === 'directory' || absolute === agent.cwd) {
    return `${at} is a directory (${path}): a location is a file; in a title, directories go in paths.`
  }
  if (entry !== undefined || result.isError) return undefined
  return (
    `${at} is ${path}, which is no file before or after the call: give paths as the arguments have them, ` +
    'absolute or relative to the directory of the session, and none for patterns.'
  )
}
