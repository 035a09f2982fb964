import { randomUUID } from 'node:crypto'
import type { ToolCallView, ToolResultView } from '../cards/index.js'
import type { ActiveExecution, Command, ToolAgent, ToolDefinition, ToolExecutionResult } from '../registry/index.js'
import { openToolHost, type ToolHost } from './host.js'
import { moreListeners, processListeners } from './listener-counts.js'
import { observeSystem } from './observe-system.js'
import { makeScratchTree, type TreeState, textsOf } from './scratch-tree.js'
import { type LaunchedCommand, type OtherProcess, Trace, withTrace } from './trace.js'
import type { ContractOptions, SampleOutcome, ToolPlugin, ToolSample } from './types.js'
import { createWatchedSignal } from './watched-signal.js'

/** One run of a sample, from a new registry to its end. All in it is plain data by then, the functions of `tool` apart. */
export interface SampleRun {
  readonly sample: ToolSample
  readonly tool: ToolDefinition
  readonly agent: ToolAgent
  readonly result: ToolExecutionResult
  /** As an editor gets them, live. */
  readonly callCard: ToolCallView | undefined
  readonly resultCard: ToolResultView | undefined
  readonly before: TreeState
  readonly after: TreeState
  readonly trace: Trace
  /** `refused`: it never started; `running`: it had not ended when the call had. */
  readonly body: 'refused' | 'running' | 'ended'
  readonly warnings: readonly string[]
  /** What the tool left behind, one sentence each. */
  readonly leaks: readonly string[]
  /** Commands that ran on when the call had ended. */
  readonly stillRunning: readonly Command[]
}

/** When a run is stopped: as soon as the body has started, or at the first thing it does, soon after its start at the latest. */
export type StopPoint = 'start' | 'first step'

/** Runs a sample in a scratch tree with a registry of its own. Throws CONTRACT_BROKEN if the tool cannot be registered. */
export async function runSample(
  subject: ToolDefinition | ToolPlugin,
  sample: ToolSample,
  options: ContractOptions,
  stopPoint?: StopPoint,
): Promise<SampleRun> {
  const listeners = processListeners(process)
  const tree = await makeScratchTree(sample.files)
  try {
    const host = await openToolHost(subject, options)
    try {
      const before = await tree.look()
      const call = await runCall(host, sample, tree.cwd, stopPoint)
      const after = await tree.look()
      const left = await host.disposePlugin()
      await host.close()
      const added = moreListeners(listeners, processListeners(process), 'process.on')
      return {
        ...call,
        sample,
        tool: host.tool,
        before,
        after,
        warnings: [...host.warnings],
        leaks: [...call.leaks, ...left, ...added, ...call.trace.otherProcesses.flatMap(endLeft)],
      }
    } finally {
      await host.close()
    }
  } finally {
    await tree.remove()
  }
}

const NO_STEP_MS = 100

type CallRun = Omit<SampleRun, 'sample' | 'tool' | 'before' | 'after' | 'warnings'>

async function runCall(
  { ctx, tool }: ToolHost,
  sample: ToolSample,
  cwd: string,
  stopPoint: StopPoint | undefined,
): Promise<CallRun> {
  const watched = createWatchedSignal()
  const stop = () => watched.controller.abort()
  const trace = new Trace(stopPoint === 'first step' ? stop : undefined)
  const agent: ToolAgent = { sessionId: randomUUID(), cwd, roots: [cwd], origin: 'model', ...sample.agent }
  let state: SampleRun['body'] = 'refused'
  let late: NodeJS.Timeout | undefined
  // The last to come stands next to the body.
  const undo = ctx.on('tools/execute', async (exec, next) => {
    traceLaunches(exec, trace)
    state = 'running'
    const body = next()
    if (stopPoint === 'start') stop()
    // A wait for a server, say, is no step.
    if (stopPoint === 'first step') late = setTimeout(stop, NO_STEP_MS)
    const result = await body
    state = 'ended'
    return result
  })
  const stopObserving = observeSystem(trace)
  try {
    const args: unknown = JSON.parse(JSON.stringify(sample.args))
    const result = await withTrace(trace, () =>
      ctx.tools.execute({
        callId: 'call-1',
        name: tool.name,
        arguments: args,
        agent,
        signal: watched.controller.signal,
        onProgress: () => trace.step(),
      }),
    )
    const open = trace.launches.filter(({ process, ended }) => process !== undefined && !ended)
    if (stopPoint !== undefined) await settled(open)
    return {
      agent,
      result,
      callCard: ctx.tools.presentCall(tool.name, args),
      resultCard: ctx.tools.presentResult(tool.name, args, result),
      trace,
      body: state,
      stillRunning: open.flatMap(({ command, ended }) => (ended ? [] : [command])),
      leaks: watched.left().map(toListenerLeak),
    }
  } finally {
    clearTimeout(late)
    stopObserving()
    undo()
    await ctx.launcher.release(agent.sessionId)
  }
}

function traceLaunches(exec: ActiveExecution, trace: Trace): void {
  const { launch } = exec
  exec.launch = async (command, options) => {
    const launched: Trace['launches'][number] = { command, cwd: options.cwd, ended: false }
    trace.launches.push(launched)
    const process = await withTrace(trace, () => launch(command, options), true)
    launched.process = process
    void process.exited.then(() => {
      launched.ended = true
    })
    trace.step()
    return process
  }
}

/** A process that was just killed needs a moment. */
const AFTER_KILL_MS = 1000

async function settled(launched: readonly LaunchedCommand[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, AFTER_KILL_MS)
  })
  await Promise.race([Promise.all(launched.map(({ process }) => process?.exited)), late])
  clearTimeout(timer)
}

function endLeft(child: OtherProcess): string[] {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return []
  child.kill('SIGKILL')
  const command = child.spawnargs?.join(' ') ?? 'a process'
  return [`\`${command}\` still runs when the plugin is gone: start processes with exec.launch, which ends them.`]
}

function toListenerLeak(place: string): string {
  return `A listener stays on exec.signal after the call, added at ${place}: remove it when the work is done.`
}

/** A run as a sample's own `expect` sees it. */
export function toOutcome({ result, callCard, resultCard, after, agent }: SampleRun): SampleOutcome {
  return { result, callCard, resultCard, files: textsOf(after, agent.cwd) }
}
