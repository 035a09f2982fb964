import { HarnessError } from '../cards/index.js'
import type { ToolDefinition } from '../registry/types.js'
import { refuse } from './broken.js'
import { abortProblems } from './checks/abort.js'
import { refusalProblems, sampleProblems } from './checks/arguments.js'
import { diffProblems } from './checks/diffs.js'
import { effectProblems } from './checks/effects.js'
import { expectedProblems } from './checks/expected.js'
import { outputProblems } from './checks/output.js'
import { partialProblems } from './checks/partial.js'
import { placeProblems } from './checks/places.js'
import { callPurityProblems, resultPurityProblems } from './checks/purity.js'
import { replayProblems } from './checks/replay.js'
import { viewProblems } from './checks/views.js'
import { openToolHost, type ToolHost } from './host.js'
import { runSample, type SampleRun, type StopPoint } from './run-sample.js'
import { labelOf } from './show.js'
import type { ContractCheck, ContractOptions, ToolPlugin, ToolSample } from './types.js'

const DEFAULT_TEXT_BYTES = 128 * 1024
const DEFAULT_GRACE_MS = 2000

/**
 * What every tool must keep, as checks for any test runner. `tool` is a definition, or the plugin that registers it. Each
 * sample runs in a scratch tree and a registry of its own, once for the checks that look at it, once more for replay and twice
 * to be stopped. Throws INVALID_ARGS without samples.
 */
export function toolContract(
  tool: ToolDefinition | ToolPlugin,
  samples: readonly ToolSample[],
  options: ContractOptions = {},
): ContractCheck[] {
  if (samples.length === 0) throw new HarnessError('INVALID_ARGS', 'toolContract needs at least one sample of a call.')
  const ending = samples.filter(({ untilStopped }) => untilStopped !== true)
  const runs = new Map<ToolSample, Promise<SampleRun>>()
  const runOf = (sample: ToolSample) => {
    const run = runs.get(sample) ?? runSample(tool, sample, options)
    runs.set(sample, run)
    return run
  }
  const ofEach = (problems: (run: SampleRun) => string[] | Promise<string[]>) => async () => {
    const found: string[] = []
    for (const sample of ending) found.push(...(await problems(await runOf(sample))))
    refuse(found)
  }
  const stopped = (at: StopPoint) => async () => {
    const found: string[] = []
    for (const sample of samples) {
      const run = await runSample(tool, sample, options, at)
      found.push(...abortProblems(run, at, options.abortGraceMs ?? DEFAULT_GRACE_MS))
    }
    refuse(found)
  }
  const inHost = (problems: (host: ToolHost, sample: ToolSample) => string[]) => async () => {
    const host = await openToolHost(tool, options)
    try {
      refuse(samples.flatMap(sample => problems(host, sample)))
    } finally {
      await host.close()
    }
  }

  return [
    {
      name: 'takes the arguments of its samples',
      run: async () => refuse(await sampleProblems(tool, samples, options)),
    },
    {
      name: 'refuses arguments that its schema forbids, and no others',
      run: async () => refuse(await refusalProblems(tool, samples, options)),
    },
    {
      name: 'answers what a call looks like and touches from its arguments alone',
      run: inHost((host, sample) => callPurityProblems(host.tool, sample)),
    },
    { name: 'shows no hole while the arguments are written', run: inHost(partialProblems) },
    { name: 'gives cards that are valid', run: ofEach(viewProblems) },
    { name: 'shows a result from its arguments and meta alone', run: ofEach(resultPurityProblems) },
    {
      name: 'shows the same cards when the session is replayed',
      run: ofEach(async run => {
        const again = await runSample(tool, run.sample, options)
        const host = await openToolHost(tool, options)
        await host.close()
        return replayProblems(run, again, host.tool)
      }),
    },
    { name: 'gives locations and diffs of files', run: ofEach(placeProblems) },
    { name: 'shows diffs that are what happened to the files', run: ofEach(diffProblems) },
    {
      name: 'keeps its output within bounds',
      run: ofEach(run => outputProblems(run, options.maxTextBytes ?? DEFAULT_TEXT_BYTES)),
    },
    { name: 'ends when it is stopped as soon as it has started', run: stopped('start') },
    { name: 'ends when it is stopped at work', run: stopped('first step') },
    { name: 'leaves nothing behind', run: ofEach(run => run.leaks.map(leak => `${labelOf(run.sample)}: ${leak}`)) },
    ...ending.flatMap(sample => [
      {
        name: `${labelOf(sample)}: comes out as expected`,
        run: async () => refuse(await expectedProblems(await runOf(sample))),
      },
      {
        name: `${labelOf(sample)}: touches only what its effects declare`,
        run: async () => refuse(effectProblems(await runOf(sample))),
      },
    ]),
  ]
}
