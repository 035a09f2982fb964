import { homedir } from 'node:os'
import { setImmediate as nextTask } from 'node:timers/promises'
import type { Context } from 'cordis'
import type { Config } from '../../config/index.js'
import { type ActiveExecution, lateModule, sampleCalls, type ToolAgent } from '../../registry/index.js'
import { compileRules } from './config-rules.js'
import type { Mode } from './modes.js'
import { type OwnFile, OwnFiles, ownFilesOf } from './own-files.js'
import type { Rules } from './policy.js'
import { RememberedAnswers } from './remembered-answers.js'
import { SessionState } from './session-state.js'
import type { CallVerdict } from './verdict.js'

declare module 'cordis' {
  interface Context {
    permissions: Permissions
  }
  interface Events {
    /** A session's mode has changed, by whomever. */
    'permissions/mode'(sessionId: string, mode: Mode): void
  }
}

export interface PermissionOptions {
  readonly config: Pick<Config, 'permissions' | 'strict' | 'shell'> & Partial<Pick<Config, 'plugins'>>
  /** Where the config file is, or would be. */
  readonly configPath?: string
  /** Where the keys of model providers are, or would be. */
  readonly credentialsPath?: string
  /** Absolute. */
  readonly stateDir: string
}

/** Most of the gate's code, which opening a session does not need. */
const deciding = lateModule(() => import('./deciding.js'))

/** What a call is judged by. */
export type JudgedCall = Pick<ActiveExecution, 'name' | 'arguments' | 'agent'>

/** The service `permissions`: the mode of each session, rules, remembered answers, and the decision on a call. */
export class Permissions {
  readonly remembered: RememberedAnswers
  readonly #ctx: Context
  // Held: each look through the context costs more than a decision does.
  readonly #toolsOf: Context['tools']['forSession']
  readonly #get: Context['get']
  readonly #files: Context['files']
  readonly #ownFiles: readonly OwnFile[]
  readonly #sessions = new Map<string, SessionState>()
  #config: PermissionOptions['config']
  #rules: Rules

  /** `ctx` has tools and files. */
  constructor(ctx: Context, options: PermissionOptions) {
    this.#ctx = ctx
    this.#toolsOf = ctx.tools.forSession
    this.#get = ctx.get
    this.#files = ctx.files
    this.#config = options.config
    this.#rules = compileRules(options.config.permissions)
    this.#ownFiles = ownFilesOf(options)
    this.remembered = new RememberedAnswers(options.stateDir, problem => ctx.logger('permission').warn('%s', problem))
  }

  /** The mode of a session; the config's until it is set. */
  mode(sessionId: string): Mode {
    return this.#sessions.get(sessionId)?.mode ?? this.#config.permissions.mode
  }

  /** Changes the mode; says so by permissions/mode if it is another. */
  setMode(sessionId: string, mode: Mode): void {
    if (this.mode(sessionId) === mode) return
    this.session(sessionId).mode = mode
    this.#ctx.emit('permissions/mode', sessionId, mode)
  }

  /** Takes over what a session's log says; announces nothing. */
  restore(sessionId: string, { mode, rejected }: { mode?: Mode; rejected: Iterable<string> }): void {
    const session = this.session(sessionId)
    if (mode) session.mode = mode
    for (const subject of rejected) session.rejected.add(subject)
  }

  /** Drops what a session had, and ends its waits: it was closed. */
  forget(sessionId: string): void {
    this.#sessions.get(sessionId)?.questions.close()
    this.#sessions.delete(sessionId)
  }

  /** Another config from now on, also for what waits. Modes that were set stay. */
  configure(config: PermissionOptions['config']): void {
    this.#config = config
    this.#rules = compileRules(config.permissions)
  }

  /** Loads what the first decision on a command needs, and decides on a call of each shipped tool for nobody, until the signal. */
  async warm(signal: AbortSignal): Promise<void> {
    const { loadParser } = await deciding.get()
    await loadParser()
    const cwd = homedir()
    const agent: ToolAgent = { sessionId: '', cwd, roots: [cwd], origin: 'model' }
    for (const call of sampleCalls(this.#toolsOf(undefined))) {
      await nextTask()
      if (signal.aborted) return
      await this.decide({ ...call, agent })
    }
  }

  /** The decision on a call as things stand now. Rejects if a path of it cannot be looked up. */
  async decide(call: JudgedCall): Promise<CallVerdict> {
    const { decideCall } = await deciding.get()
    const { permissions, strict, shell } = this.#config
    const session = call.agent && this.#sessions.get(call.agent.sessionId)
    const tools = this.#toolsOf(call.agent?.sessionId)
    const effects = tools.effects(call.name, call.arguments)
    let ownFiles: OwnFiles | undefined
    const sandbox = effects?.runs === undefined ? undefined : this.#get('sandbox')
    return decideCall(call, {
      files: this.#files,
      ownFiles: () => (ownFiles ??= new OwnFiles(this.#ownFiles)),
      rules: this.#rules,
      userCommands: permissions.userCommands,
      strict,
      shell: shell.path,
      effects,
      providedBy: tools.get(call.name)?.providedBy,
      isHeld: call.agent !== undefined && sandbox?.holds(call.agent) === true,
      isAskedLater: isExecution(call) && sandbox?.asks(call) === true,
      mode: session?.mode ?? permissions.mode,
      isRejected: subject => session?.rejected.has(subject) === true,
      remembered: agent => this.remembered.of(() => this.project(agent)),
    })
  }

  /** The session's own state, made at the first use. */
  session(sessionId: string): SessionState {
    const known = this.#sessions.get(sessionId)
    if (known) return known
    const session = new SessionState(this.#config.permissions.mode)
    this.#sessions.set(sessionId, session)
    return session
  }

  /** The project that a call's always-answers belong to: the real path of its cwd. */
  async project({ cwd }: ToolAgent): Promise<string> {
    return (await this.#files.resolve(undefined, cwd)).realPath
  }

  /**
   * For a listener in front of a tool by which a model leaves plan mode: asks the user, and changes the mode if they agree.
   * Call it before `next()`: once a body runs, nothing can be asked about its call. False if the user does not agree or
   * nobody can be asked; true at once in any other mode. Rejects as the approver does.
   */
  async leavePlanMode(exec: ActiveExecution, to: Exclude<Mode, 'plan'> = 'ask'): Promise<boolean> {
    const { agent, signal } = exec
    if (!agent) return false
    if (this.mode(agent.sessionId) !== 'plan') return true
    const reason = 'the plan is ready, and carrying it out needs another mode'
    const answer = await this.#get('approver')?.ask({ exec, reason, signal })
    if (answer !== 'allow_once' && answer !== 'allow_always') return false
    this.setMode(agent.sessionId, to)
    return true
  }

  /** Ends every wait. */
  close(): void {
    for (const { questions } of this.#sessions.values()) questions.close()
  }
}

function isExecution(call: JudgedCall): call is ActiveExecution {
  return 'signal' in call
}
