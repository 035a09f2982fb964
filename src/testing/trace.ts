import { AsyncLocalStorage } from 'node:async_hooks'
import type { Command, LaunchedProcess } from '../registry/index.js'

/** A file or directory that was touched through `ctx.files`. */
export interface TouchedPath {
  /** As the tool gave it. */
  spoken: string
  /** Absolute, free of links. */
  realPath: string
}

export interface LaunchedCommand {
  command: Command
  cwd: string
  process?: LaunchedProcess
  /** The process has started, and ended. */
  ended: boolean
}

/** A process of `node:child_process`, as Node tells of its start. */
export interface OtherProcess {
  readonly pid?: number
  readonly exitCode: number | null
  readonly signalCode: string | null
  readonly spawnargs?: readonly string[]
  kill(signal: 'SIGKILL'): boolean
}

/** What one call was seen to do. */
export class Trace {
  readonly reads: TouchedPath[] = []
  readonly writes: TouchedPath[] = []
  readonly launches: LaunchedCommand[] = []
  /** Started by other means than `exec.launch`. */
  readonly otherProcesses: OtherProcess[] = []
  /** Called over http and https. */
  readonly hosts = new Set<string>()

  /** `step` is told each time a file was touched, a process has started or the call has reported progress. */
  constructor(readonly step: () => void = () => {}) {}
}

interface Scope {
  trace: Trace
  launching: boolean
}

const scopes = new AsyncLocalStorage<Scope>()

/** Runs `body` so that what it does, also later on, belongs to `trace`; `launching`: on behalf of `exec.launch`. */
export function withTrace<T>(trace: Trace, body: () => T, launching = false): T {
  return scopes.run({ trace, launching }, body)
}

/** The trace of the call that the running code belongs to. */
export function currentTrace(): Trace | undefined {
  return scopes.getStore()?.trace
}

/** True for code that `exec.launch` runs. */
export function isLaunching(): boolean {
  return scopes.getStore()?.launching === true
}
