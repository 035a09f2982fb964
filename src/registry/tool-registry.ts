import { type Context, Service } from 'cordis'
import { HarnessError, type ToolCallView, type ToolResultView } from '../cards/index.js'
import { toToolSchema } from './definition.js'
import { createExecute } from './execute.js'
import { errorMessage } from './failure.js'
import { callerEffect } from './lifecycle.js'
import * as present from './present.js'
import type {
  ActiveExecution,
  Approver,
  Launcher,
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
    /** A tool was registered or unregistered. */
    'tools/change'(): void
  }
}

export interface ToolRegistryOptions {
  /** How long a body may still end by itself after its signal. Default 2,000. */
  abortGraceMs?: number
}

interface Entry {
  definition: ToolDefinition
  schema: ToolSchema
}

/** The tools by name, and the one way to run and to show their calls. */
export class ToolRegistry extends Service {
  // Not #private: callers hold a proxy of this object.
  private readonly _entries = new Map<string, Entry>()
  private readonly _execute: (exec: ToolExecution) => Promise<ToolExecutionResult>

  constructor(ctx: Context, options: ToolRegistryOptions = {}) {
    super(ctx, 'tools')
    this._execute = createExecute(ctx, this._entries, options?.abortGraceMs ?? 2000)
    ctx.inject(['systemPrompt'], inner => {
      inner.systemPrompt.tools(() => this._modelSchemas())
    })
  }

  /**
   * Adds a tool while the calling plugin lives; returns its disposer. Throws DUPLICATE_TOOL for a name that is taken and
   * INVALID_TOOL for a definition that cannot work.
   */
  register(definition: ToolDefinition): () => void {
    const entries = this._entries
    const schema = toToolSchema(definition)
    const { name } = schema
    if (entries.has(name)) throw new HarnessError('DUPLICATE_TOOL', `A tool named ${name} is registered already.`)
    const announce = () => this._announce()
    return callerEffect(this.ctx, `ctx.tools.register(${JSON.stringify(name)})`, () => {
      entries.set(name, { definition, schema })
      announce()
      return () => {
        entries.delete(name)
        announce()
      }
    })
  }

  get(name: string): ToolDefinition | undefined {
    return this._entries.get(name)?.definition
  }

  /** What a model is told, in the order of registration. Frozen. */
  schemas(): ToolSchema[] {
    return [...this._entries.values()].map(entry => entry.schema)
  }

  /**
   * Runs one call: arguments, then the listeners of tools/execute, then the body. Never rejects, and settles at most the grace
   * time after its signal; every failure is a result with `isError` and a code.
   */
  execute(exec: ToolExecution): Promise<ToolExecutionResult> {
    return this._execute(exec)
  }

  /** The card of a call; `args` is JSON text or a value. Undefined means the generic presentation. Never throws. */
  presentCall(name: string, args: unknown): ToolCallView | undefined {
    const definition = this._entries.get(name)?.definition
    return definition && present.presentCall(definition, args, problem => this._warn(name, problem))
  }

  /** The card of a call while its arguments stream: no content, no terminal card. Undefined means nothing yet. Never throws. */
  presentPartial(name: string, partialArgs: Record<string, unknown>): ToolCallView | undefined {
    const definition = this._entries.get(name)?.definition
    return definition && present.presentPartial(definition, partialArgs)
  }

  /** The card of a result, live and from the log. Undefined means the generic presentation. Never throws. */
  presentResult(name: string, args: unknown, result: ToolResult): ToolResultView | undefined {
    const definition = this._entries.get(name)?.definition
    return definition && present.presentResult(definition, args, result, problem => this._warn(name, problem))
  }

  /** What a call would touch. Undefined means that it may do anything. Never throws. */
  effects(name: string, args: unknown): ToolEffects | undefined {
    const definition = this._entries.get(name)?.definition
    return definition && present.effects(definition, args, problem => this._warn(name, problem))
  }

  /** True if the call may run together with others. Never throws. */
  isConcurrencySafe(name: string, args: unknown): boolean {
    const definition = this._entries.get(name)?.definition
    return definition !== undefined && present.isConcurrencySafe(definition, args, problem => this._warn(name, problem))
  }

  private _modelSchemas(): ToolSchema[] {
    return [...this._entries.values()].filter(({ definition }) => !definition.userOnly).map(({ schema }) => schema)
  }

  private _announce(): void {
    // parallel calls the listeners as emit does, but one that throws neither stops the others nor gets out (P5).
    this.ctx.parallel('tools/change').catch(error => {
      const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error]
      for (const reason of reasons)
        this.ctx.logger('tools').warn('%s', `a listener of tools/change failed: ${errorMessage(reason)}`)
    })
  }

  private _warn(name: string, problem: string): void {
    this.ctx.logger('tools').warn('%s', `${name}: ${problem}`)
  }
}
