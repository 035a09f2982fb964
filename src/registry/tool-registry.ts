import { type Context, Service } from 'cordis'
import type { ToolCallView, ToolResultView } from '../cards/index.js'
import { toToolEntry } from './definition.js'
import { createExecute } from './execute.js'
import { ExpectedTools } from './expected-tools.js'
import { errorMessage } from './failure.js'
import { callerEffect } from './lifecycle.js'
import { type MakePresenters, PresenterFamilies } from './presenter-families.js'
import { SessionTools, type SessionToolsHost } from './session-tools.js'
import { ToolTable } from './tool-table.js'
import type {
  ActiveExecution,
  Approver,
  Launcher,
  PresentedBy,
  Questioner,
  ToolDefinition,
  ToolEffects,
  ToolExecution,
  ToolExecutionResult,
  ToolResult,
  ToolSchema,
} from './types.js'

declare module 'cordis' {
  interface Context {
    tools: ToolRegistry
    /** Starts the processes behind `exec.launch`; provided by the workspace. */
    launcher: Launcher
    /** Whoever can ask the user; absent where nobody can be asked. */
    approver: Approver
    /** Whoever can put a model's question to the user; absent where nobody can be asked. */
    questioner: Questioner
  }
  interface Events {
    /** Around each call: `next()` goes on to the tool, a result without it vetoes. Listeners are those of the call's start. */
    'tools/execute'(
      exec: ActiveExecution,
      next: () => Promise<ToolExecutionResult>,
    ): ToolExecutionResult | Promise<ToolExecutionResult>
    /** A tool was registered or unregistered, for this session or for everybody. */
    'tools/change'(sessionId?: string): void
    /** Whoever faces the user has put something about a call to them; `answered` settles when the wait is over. */
    'tools/wait'(call: { readonly sessionId: string; readonly callId: string }, answered: Promise<unknown>): void
    /** A session was opened over these directories, and nobody waits for anything yet: time to get ready for its first call. */
    'session/idle'(roots: readonly string[]): void | Promise<void>
  }
}

export interface ToolRegistryOptions {
  /** How long a body may still end by itself after its signal. Default 2,000. */
  abortGraceMs?: number
  /** How long a session waits for tools that it was told to expect. Default 3,000. */
  expectMs?: number
}

export interface RegisterOptions {
  /** Only this session has the tool. Default: everybody. */
  sessionId?: string
}

/** The tools by name, and the one way to run and to show their calls. Without a session in sight: everybody's tools. */
export class ToolRegistry extends Service {
  // Not #private: callers hold a proxy of this object.
  private readonly _table = new ToolTable()
  private readonly _families = new PresenterFamilies()
  private readonly _expected: ExpectedTools
  private readonly _host: SessionToolsHost
  private readonly _shared: SessionTools

  constructor(ctx: Context, options: ToolRegistryOptions = {}) {
    super(ctx, 'tools')
    this._expected = new ExpectedTools(options?.expectMs ?? 3000)
    this._host = {
      table: this._table,
      families: this._families,
      expected: this._expected,
      execute: createExecute(ctx, this._table, options?.abortGraceMs ?? 2000),
      warn: (name, problem) => ctx.logger('tools').warn('%s', `${name}: ${problem}`),
    }
    this._shared = new SessionTools(this._host, undefined)
    ctx.inject(['systemPrompt'], inner => {
      inner.systemPrompt.tools(sessionId => new SessionTools(this._host, sessionId).modelSchemas())
    })
  }

  /**
   * Adds a tool while the calling plugin lives; returns its disposer. Throws DUPLICATE_TOOL for a name that is taken, for
   * everybody or in that session, and INVALID_TOOL for a definition that cannot work.
   */
  register(definition: ToolDefinition, { sessionId }: RegisterOptions = {}): () => void {
    const table = this._table
    const entry = toToolEntry(definition)
    const { name } = entry.schema
    table.checkFree(name, sessionId)
    const announce = () => this._announce(sessionId)
    return callerEffect(this.ctx, `ctx.tools.register(${JSON.stringify(name)})`, () => {
      const remove = table.add(entry, sessionId)
      announce()
      return () => {
        remove()
        announce()
      }
    })
  }

  /** Takes everybody's tools of now for the host's own, whose code runs in a rehearsal too. To be called before any other comes. */
  markShipped(): void {
    this._table.markShipped()
  }

  /** Tells that the session will have more tools: `arrived` settles when they are there, or will not come soon. */
  expect(sessionId: string, arrived: Promise<unknown>): void {
    const expected = this._expected
    callerEffect(this.ctx, 'ctx.tools.expect()', () => expected.add(sessionId, arrived))
  }

  /** Makers of cards that outlive their tools; see {@link PresentedBy}. */
  get presenters(): { add(family: string, make: MakePresenters): () => void } {
    const { ctx, _families } = this
    return {
      add: (family, make) =>
        callerEffect(ctx, `ctx.tools.presenters.add(${JSON.stringify(family)})`, () => _families.add(family, make)),
    }
  }

  /**
   * The tools as this session has them; as everybody has them without one. Cheap: nothing is copied. Hold the function: it
   * needs no `this`, and each look at `ctx.tools` costs more than a call of it.
   */
  readonly forSession = (sessionId: string | undefined): SessionTools => new SessionTools(this._host, sessionId)

  get(name: string): ToolDefinition | undefined {
    return this._shared.get(name)
  }

  /** What a model is told, in the order of registration. Frozen. */
  schemas(): ToolSchema[] {
    return this._shared.schemas()
  }

  /**
   * Runs one call of a tool that its session has: arguments, then the listeners of tools/execute, then the body. Never rejects,
   * and settles at most the grace time after its signal; every failure is a result with `isError` and a code.
   */
  execute(exec: ToolExecution): Promise<ToolExecutionResult> {
    return this._host.execute(exec)
  }

  /** The card of a call; `args` is JSON text or a value. Undefined means the generic presentation. Never throws. */
  presentCall(name: string, args: unknown, presentedBy?: PresentedBy): ToolCallView | undefined {
    return this._shared.presentCall(name, args, presentedBy)
  }

  /** The card of a call while its arguments stream: no content, no terminal card. Undefined means nothing yet. Never throws. */
  presentPartial(
    name: string,
    partialArgs: Record<string, unknown>,
    presentedBy?: PresentedBy,
  ): ToolCallView | undefined {
    return this._shared.presentPartial(name, partialArgs, presentedBy)
  }

  /** The card of a result, live and from the log. Undefined means the generic presentation. Never throws. */
  presentResult(
    name: string,
    args: unknown,
    result: ToolResult,
    presentedBy?: PresentedBy,
  ): ToolResultView | undefined {
    return this._shared.presentResult(name, args, result, presentedBy)
  }

  /** What a call would touch. Undefined means that it may do anything. Never throws. */
  effects(name: string, args: unknown): ToolEffects | undefined {
    return this._shared.effects(name, args)
  }

  /** True if the call may run together with others. Never throws. */
  isConcurrencySafe(name: string, args: unknown): boolean {
    return this._shared.isConcurrencySafe(name, args)
  }

  private _announce(sessionId: string | undefined): void {
    // parallel calls the listeners as emit does, but one that throws neither stops the others nor gets out (P5).
    this.ctx.parallel('tools/change', sessionId).catch(error => {
      const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error]
      for (const reason of reasons)
        this.ctx.logger('tools').warn('%s', `a listener of tools/change failed: ${errorMessage(reason)}`)
    })
  }
}
