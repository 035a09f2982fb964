import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from 'cordis'
import { type CollectedOutput, createOutputCollector, MAX_COLLECTED_BYTES, Utf8Joiner } from '../cards/index.js'
import type { LaunchOptions } from './launch-process.js'

type LaunchedProcess = Awaited<ReturnType<Context['launcher']['launch']>>
type ProcessExit = Awaited<LaunchedProcess['exited']>

/** A process that outlives even its kill is waited for no longer than this. */
const AFTER_KILL_MS = 200

/** Starts the process of a job, whose output goes to `onOutput`. */
export type StartProcess = (onOutput: NonNullable<LaunchOptions['onOutput']>) => Promise<LaunchedProcess>

/** What a job is, for its start. */
export interface JobFacts {
  /** As the user knows it; for cards and lists. */
  command: string
  /** Undefined: it may run as long as its session. */
  timeoutMs?: number
}

/** How a job ended. The flags say that we ended it; exit code and signal are then what came of that. */
export interface JobEnd extends ProcessExit {
  killed?: true
  timedOut?: true
}

/** One process in the background, with the head and the tail of what it has written so far. */
export class Job {
  readonly command: string
  readonly timeoutMs: number | undefined
  /** Settles when the process has ended; never rejects. */
  readonly ended: Promise<JobEnd>
  readonly #startedAtMs = performance.now()
  readonly #collector = createOutputCollector({ maxBytes: MAX_COLLECTED_BYTES })
  // One for each stream: they interleave, also within a character (B29).
  readonly #joiners = { stdout: new Utf8Joiner(), stderr: new Utf8Joiner() }
  readonly #followers = new Set<(bytes: Uint8Array) => void>()
  #resolve!: (end: JobEnd) => void
  #process: LaunchedProcess | undefined
  #stopped: Pick<JobEnd, 'killed' | 'timedOut'> | undefined
  #end: { how: JobEnd; atMs: number } | undefined

  constructor(
    readonly id: string,
    { command, timeoutMs }: JobFacts,
  ) {
    this.command = command
    this.timeoutMs = timeoutMs
    this.ended = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  /** Undefined while it runs. */
  get end(): JobEnd | undefined {
    return this.#end?.how
  }

  get runtimeMs(): number {
    return (this.#end?.atMs ?? performance.now()) - this.#startedAtMs
  }

  /** Rejects as `launch` does. */
  async start(launch: StartProcess): Promise<void> {
    const process = await launch((chunk, stream) => this.#take(this.#joiners[stream].push(chunk)))
    this.#process = process
    const timer =
      this.timeoutMs === undefined
        ? undefined
        : setTimeout(() => void this.#stop({ timedOut: true }), this.timeoutMs).unref()
    void process.exited.then(exit => {
      clearTimeout(timer)
      this.#take(this.#joiners.stdout.end())
      this.#take(this.#joiners.stderr.end())
      const how = { ...exit, ...this.#stopped }
      this.#end = { how, atMs: performance.now() }
      this.#followers.clear()
      this.#resolve(how)
    })
  }

  output(): CollectedOutput {
    return this.#collector.read()
  }

  /** Calls `take` with what is written from now on, cut between characters, until the returned function is called. */
  follow(take: (bytes: Uint8Array) => void): () => void {
    this.#followers.add(take)
    return () => this.#followers.delete(take)
  }

  /** Ends the whole process group. Settles when the job has ended, or shortly after when it cannot be ended. */
  async kill(): Promise<void> {
    await this.#stop({ killed: true })
  }

  async #stop(how: Pick<JobEnd, 'killed' | 'timedOut'>): Promise<void> {
    if (this.#process === undefined || this.#end) return
    this.#stopped ??= how
    await this.#process.kill()
    await Promise.race([this.ended, wait(AFTER_KILL_MS, undefined, { ref: false })])
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#collector.write(bytes)
    for (const follower of this.#followers) follower(bytes)
  }
}
