import { setTimeout as wait } from 'node:timers/promises'
import { type CollectedOutput, createOutputCollector, MAX_COLLECTED_BYTES, Utf8Joiner } from '../../cards/index.js'
import type { ActiveExecution, Command, LaunchedProcess, ProcessExit } from '../../registry/index.js'

/** A process that outlives even its kill is waited for no longer than this. */
const AFTER_KILL_MS = 200

export interface CommandOptions {
  /** Absolute. */
  cwd: string
  env: Record<string, string>
  /** Undefined: no limit. */
  timeoutMs: number | undefined
}

/** How a command ended. The flags say that we ended it; exit code and signal are then what came of that. */
export interface CommandEnd extends ProcessExit {
  timedOut?: true
  cancelled?: true
}

export interface CommandRun {
  end: CommandEnd
  output: CollectedOutput
}

/** Runs one command to its end, its timeout or the call's signal; its output goes to the call's progress as it comes. */
export async function runCommand(
  exec: ActiveExecution,
  command: Command,
  options: CommandOptions,
): Promise<CommandRun> {
  const collector = createOutputCollector({ maxBytes: MAX_COLLECTED_BYTES })
  // One for each stream: they interleave, also within a character (B29).
  const joiners = { stdout: new Utf8Joiner(), stderr: new Utf8Joiner() }
  const report = (bytes: Uint8Array) => {
    if (bytes.length === 0) return
    collector.write(bytes)
    exec.progress({ output: bytes })
  }
  const child = await exec.launch(command, {
    cwd: options.cwd,
    env: options.env,
    onOutput: (chunk, stream) => report(joiners[stream].push(chunk)),
  })
  const end = await waitForEnd(child, exec.signal, options.timeoutMs)
  report(joiners.stdout.end())
  report(joiners.stderr.end())
  return { end, output: collector.read() }
}

async function waitForEnd(
  child: LaunchedProcess,
  signal: AbortSignal,
  timeoutMs: number | undefined,
): Promise<CommandEnd> {
  let stopped: Pick<CommandEnd, 'timedOut' | 'cancelled'> | undefined
  let giveUp: (exit: ProcessExit) => void
  const givenUp = new Promise<ProcessExit>(resolve => {
    giveUp = resolve
  })
  let killed: Promise<void> | undefined
  const stop = async (flag: NonNullable<typeof stopped>) => {
    if (stopped) return
    stopped = flag
    killed = child.kill()
    await killed
    await wait(AFTER_KILL_MS, undefined, { ref: false })
    giveUp({})
  }
  const onAbort = () => void stop({ cancelled: true })
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => void stop({ timedOut: true }), timeoutMs)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  const exit = await Promise.race([child.exited, givenUp])
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
  // What closed its output may still run, and is not to outlive the answer (B25).
  await killed
  return { ...exit, ...stopped }
}
