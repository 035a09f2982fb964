import type { ToolCallView, ToolResultView } from '../cards/index.js'
import type { ExpectedTools } from './expected-tools.js'
import * as present from './present.js'
import type { PresenterFamilies } from './presenter-families.js'
import type { ToolTable } from './tool-table.js'
import type {
  PresentedBy,
  ToolDefinition,
  ToolEffects,
  ToolExecution,
  ToolExecutionResult,
  ToolResult,
  ToolSchema,
} from './types.js'

/** What the tools of a session are looked up in. */
export interface SessionToolsHost {
  readonly table: ToolTable
  readonly families: PresenterFamilies
  readonly expected: ExpectedTools
  execute(exec: ToolExecution): Promise<ToolExecutionResult>
  warn(name: string, problem: string): void
}

/** By the frozen arguments of a call, which each gate asks about. */
const knownEffects = new WeakMap<object, { definition: ToolDefinition; effects: ToolEffects | undefined }>()

/**
 * The tools as one session has them: everybody's and its own. The presenters go by `presentedBy` if it is given, which is what
 * a log has of a call, else by the tool's own.
 */
export class SessionTools {
  readonly #host: SessionToolsHost
  readonly #sessionId: string | undefined

  /** Without a session: everybody's tools. */
  constructor(host: SessionToolsHost, sessionId: string | undefined) {
    this.#host = host
    this.#sessionId = sessionId
  }

  /** Differs between two moments if the tools do. */
  get version(): string {
    return this.#host.table.version(this.#sessionId)
  }

  /** Waits for tools on their way, a few seconds at most and once for each: a model should see them. Never rejects. */
  settled(signal: AbortSignal): Promise<void> {
    if (this.#sessionId === undefined) return Promise.resolve()
    return this.#host.expected.settled(this.#sessionId, signal)
  }

  /** False while some of the tools are on their way. */
  get isComplete(): boolean {
    return this.#sessionId === undefined || this.#host.expected.isComplete(this.#sessionId)
  }

  get(name: string): ToolDefinition | undefined {
    return this.#find(name)?.definition
  }

  /** What a model is told: everybody's tools in the order of registration, then the session's by name. Frozen. */
  schemas(): ToolSchema[] {
    return this.#host.table.list(this.#sessionId).map(({ schema }) => schema)
  }

  /** Those of the schemas that are a model's business. */
  modelSchemas(): ToolSchema[] {
    const entries = this.#host.table.list(this.#sessionId)
    return entries.filter(({ definition }) => !definition.userOnly).map(({ schema }) => schema)
  }

  /** Those of the schemas whose tools came with the host: only their code has a part in a rehearsal. */
  shippedSchemas(): ToolSchema[] {
    const { table } = this.#host
    return table
      .list(this.#sessionId)
      .filter(entry => table.isShipped(entry))
      .map(({ schema }) => schema)
  }

  /** What a log needs of a tool to show its calls without it. */
  presentedBy(name: string): PresentedBy | undefined {
    return this.#find(name)?.presentedBy
  }

  /** Runs one call; the session is the call's own, see `ToolExecution.agent`. Never rejects. */
  execute(exec: ToolExecution): Promise<ToolExecutionResult> {
    return this.#host.execute(exec)
  }

  /** The card of a call; `args` is JSON text or a value. Undefined means the generic presentation. Never throws. */
  presentCall(name: string, args: unknown, presentedBy?: PresentedBy): ToolCallView | undefined {
    const presenters = this.#presenters(name, presentedBy)
    return presenters && present.presentCall(presenters, args, problem => this.#warn(name, problem))
  }

  /** The card of a call while its arguments stream: no content, no terminal card. Undefined means nothing yet. Never throws. */
  presentPartial(
    name: string,
    partialArgs: Record<string, unknown>,
    presentedBy?: PresentedBy,
  ): ToolCallView | undefined {
    const presenters = this.#presenters(name, presentedBy)
    return presenters && present.presentPartial(presenters, partialArgs)
  }

  /** The card of a result, live and from the log. Undefined means the generic presentation. Never throws. */
  presentResult(
    name: string,
    args: unknown,
    result: ToolResult,
    presentedBy?: PresentedBy,
  ): ToolResultView | undefined {
    const presenters = this.#presenters(name, presentedBy)
    return presenters && present.presentResult(presenters, args, result, problem => this.#warn(name, problem))
  }

  /** What a call would touch. Undefined means that it may do anything. Never throws. */
  effects(name: string, args: unknown): ToolEffects | undefined {
    const definition = this.get(name)
    if (definition === undefined) return undefined
    if (typeof args !== 'object' || args === null || !Object.isFrozen(args)) return this.#askEffects(definition, args)
    const known = knownEffects.get(args)
    if (known?.definition === definition) return known.effects
    const effects = this.#askEffects(definition, args)
    knownEffects.set(args, { definition, effects })
    return effects
  }

  /** True if the call may run together with others. Never throws. */
  isConcurrencySafe(name: string, args: unknown): boolean {
    const definition = this.get(name)
    return definition !== undefined && present.isConcurrencySafe(definition, args, problem => this.#warn(name, problem))
  }

  #askEffects(definition: ToolDefinition, args: unknown): ToolEffects | undefined {
    return present.effects(definition, args, problem => this.#warn(definition.name, problem))
  }

  #find(name: string) {
    return this.#host.table.find(name, this.#sessionId)
  }

  #presenters(name: string, logged: PresentedBy | undefined) {
    const entry = this.#find(name)
    const presentedBy = logged ?? entry?.presentedBy
    if (presentedBy === undefined) return entry?.definition
    return this.#host.families.find(presentedBy, problem => this.#warn(name, problem))
  }

  #warn(name: string, problem: string): void {
    this.#host.warn(name, problem)
  }
}
