import type { ChildProcess } from 'node:child_process'
import type { Context } from 'cordis'
import { HarnessError } from '../cards/index.js'
import { toChildEnvironment } from './launch-environment.js'
import { endGroup, groupExists } from './launch-group.js'
import { type LaunchGuard, openGuard } from './launch-guard.js'
import { openInput } from './launch-input.js'
import { OutputReader } from './launch-output.js'
import { type Command, checkDirectory, type LaunchOptions, startProcess, waitForStart } from './launch-process.js'

type Launcher = Context['launcher']
type LaunchedProcess = Awaited<ReturnType<Launcher['launch']>>
type ProcessExit = Awaited<LaunchedProcess['exited']>

/** How often groups whose leader has exited are looked at, so that a number the system gives out anew is not ours. */
const SWEEP_MS = 2000

export interface LauncherConfig {
  /** Environment variables with credentials that no child gets, besides those of the known providers. */
  keyVariables?: readonly string[]
}

/** Provides the service `launcher`. All that it started is gone once the plugin is disposed. */
export const launcherPlugin = {
  name: 'launcher',
  apply(ctx: Context, config: LauncherConfig = {}): void {
    const launcher = new ProcessLauncher(config.keyVariables ?? [], openGuard())
    ctx.provide('launcher', launcher)
    ctx.effect(() => () => launcher.close(), 'launcher')
  },
}

/** A process group that was started for an owner and still has a process. */
interface Group {
  readonly pgid: number
  readonly owner: string
  leaderExited: boolean
  ending?: Promise<void>
}

class ProcessLauncher implements Launcher {
  readonly #keyVariables: readonly string[]
  readonly #guard: LaunchGuard
  readonly #groups = new Set<Group>()
  #sweep: NodeJS.Timeout | undefined
  #closed = false

  constructor(keyVariables: readonly string[], guard: LaunchGuard) {
    this.#keyVariables = keyVariables
    this.#guard = guard
  }

  async launch(owner: string, command: Command, options: LaunchOptions): Promise<LaunchedProcess> {
    if (this.#closed) throw new HarnessError('SPAWN_FAILED', `Cannot start ${command[0]}: the agent is closing.`)
    // Nothing is awaited before the group is held: a release that comes meanwhile finds it.
    checkDirectory(options.cwd)
    const changes = { PWD: process.platform === 'win32' ? undefined : options.cwd, ...options.env }
    const child = startProcess(
      command,
      options,
      toChildEnvironment(process.env, changes, this.#keyVariables, options.ownEnv),
    )
    const group = child.pid === undefined ? undefined : this.#hold(child.pid, owner)
    const exited = this.#watch(child, group, options)
    await waitForStart(child, command[0])
    if (group === undefined) throw new HarnessError('SPAWN_FAILED', `Cannot start ${command[0]}.`)
    const input = options.keepInput && child.stdin ? { input: openInput(child.stdin) } : {}
    return { pid: group.pgid, exited, kill: () => this.#end(group), ...input }
  }

  async release(owner: string): Promise<void> {
    await this.#releaseAll(entry => entry.owner === owner)
  }

  /** Releases every owner; nothing starts after it. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#releaseAll(() => true)
    this.#guard.close()
  }

  async #releaseAll(isOurs: (entry: { owner: string }) => boolean): Promise<void> {
    await Promise.all([...this.#groups].filter(isOurs).map(group => this.#end(group)))
  }

  #hold(pgid: number, owner: string): Group {
    const group: Group = { pgid, owner, leaderExited: false }
    this.#groups.add(group)
    this.#guard.hold(pgid)
    return group
  }

  async #watch(child: ChildProcess, group: Group | undefined, options: LaunchOptions): Promise<ProcessExit> {
    if (group === undefined || !child.stdout || !child.stderr) return {}
    const reader = new OutputReader(child.stdout, child.stderr, options.onOutput, () => this.#forgetIfGone(group))
    const exit = await new Promise<ProcessExit>(resolve => {
      child.once('exit', (code, signal) => resolve(signal === null ? { exitCode: (code ?? 0) >>> 0 } : { signal }))
    })
    group.leaderExited = true
    this.#forgetIfGone(group)
    await reader.drain()
    return exit
  }

  async #end(group: Group): Promise<void> {
    // A group that is gone is never signalled: its number may belong to another by now.
    if (!this.#groups.has(group)) return
    group.ending ??= endGroup(group.pgid).then(() => this.#forget(group))
    await group.ending
  }

  #forgetIfGone(group: Group): void {
    if (!group.leaderExited || !this.#groups.has(group)) return
    if (groupExists(group.pgid)) this.#sweep ??= setInterval(() => this.#sweepGroups(), SWEEP_MS).unref()
    else this.#forget(group)
  }

  #sweepGroups(): void {
    for (const group of this.#groups) this.#forgetIfGone(group)
    if ([...this.#groups].some(group => group.leaderExited)) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #forget(group: Group): void {
    this.#groups.delete(group)
    this.#guard.drop(group.pgid)
  }
}
