import { resolve } from 'node:path'
import { type FileDiff, toLf } from '../../cards/index.js'
import type { SampleRun } from '../run-sample.js'
import type { TreeState } from '../scratch-tree.js'
import { labelOf } from '../show.js'

/** The diffs of a result are whole lines of the file before and after the call. */
export function diffProblems(run: SampleRun): string[] {
  const { resultCard, sample } = run
  if (resultCard?.card !== 'diff') return []
  return resultCard.diffs.flatMap((diff, index) =>
    sideProblems(run, diff).map(
      problem => `${labelOf(sample)}: presentResult: diffs[${index}] of ${diff.path}: ${problem}`,
    ),
  )
}

function sideProblems({ agent, before, after }: SampleRun, { path, oldText, newText }: FileDiff): string[] {
  const absolute = resolve(agent.cwd, path)
  const [old, now] = [textAt(before, absolute), textAt(after, absolute)]
  const advice = 'Make it with appliedHunks from the text before and after.'
  const problems: string[] = []
  if (oldText === null && old !== undefined)
    problems.push('oldText is null, which says that there was no file, but there was.')
  if (oldText !== null && oldText !== '' && !holds(old, oldText)) {
    problems.push(`oldText is no run of whole lines of the file before the call. ${advice}`)
  }
  if (newText !== '' && !holds(now, newText)) {
    problems.push(`newText is no run of whole lines of the file after the call. ${advice}`)
  }
  return problems
}

function holds(text: string | undefined, slice: string): boolean {
  if (text === undefined) return false
  const lines = toLf(slice)
  const tail = lines.endsWith('\n') ? '' : '\0'
  return `\n${text}\0`.includes(`\n${lines}${tail}`)
}

function textAt(state: TreeState, path: string): string | undefined {
  const text = state.get(path)?.bytes?.toString()
  return text === undefined ? undefined : toLf(text.replace(/^\uFEFF/, ''))
}
