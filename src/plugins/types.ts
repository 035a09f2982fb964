import type { ActiveExecution, ToolAgent, ToolDefinition, ToolEffects, ToolExecutionResult } from '../registry/types.js'

/**
 * What a plugin's `apply` gets, as far as most plugins need it, without the types of cordis. `inject` names the services
 * that it uses: `tools`, `files`, `systemPrompt`. All that is done by it is undone when the plugin goes.
 */
export interface PluginContext {
  readonly tools: {
    /** Adds a tool; returns its undo. Throws DUPLICATE_TOOL and INVALID_TOOL. */
    register(definition: ToolDefinition): () => void
    get(name: string): ToolDefinition | undefined
    /** What a call would touch; undefined: it may do anything. */
    effects(name: string, args: unknown): ToolEffects | undefined
  }
  readonly files: PluginFiles
  readonly systemPrompt: {
    /** Adds a section of what a model is told; lower orders come first. Returns its undo. */
    section(name: string, order: number, render: () => string | undefined | Promise<string | undefined>): () => void
  }
  /** Stands around each call: returns `next()`, or throws a HarnessError to refuse it. */
  on(
    event: 'tools/execute',
    listener: (
      exec: ActiveExecution,
      next: () => Promise<ToolExecutionResult>,
    ) => ToolExecutionResult | Promise<ToolExecutionResult>,
  ): () => void
  /** The user wants everything from outside anew; awaited. `tell` adds a line to the answer. */
  on(event: 'deckhand/reload', listener: (tell: (line: string) => void) => void | Promise<void>): () => void
  /** Does something and keeps its undo for when the plugin goes. */
  effect(run: () => () => void): () => void
}

/** The files of the workspace; `agent` is the `agent` of the call. Paths outside the workspace are refused. */
export interface PluginFiles {
  resolve(agent: ToolAgent | undefined, path: string): Promise<{ path: string; realPath: string; inside: boolean }>
  /** Throws NOT_FOUND, NOT_A_FILE, TOO_LARGE, FILE_FAILED, STALE_BUFFER, ABORTED. */
  read(agent: ToolAgent | undefined, path: string, signal?: AbortSignal): Promise<PluginFile>
  /** Whole or not at all; answers what was saved. `replacing` is what was read: CHANGED_SINCE_READ if it changed since. */
  write(
    agent: ToolAgent | undefined,
    path: string,
    bytes: Uint8Array,
    options?: { replacing?: { readonly version: string } | null; signal?: AbortSignal },
  ): Promise<Omit<PluginFile, 'version'>>
  /** Runs `body` alone among all that lock this real path. */
  lock<T>(realPath: string, body: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** A whole file at one moment. */
export interface PluginFile {
  /** Absolute, as the session spells it. */
  readonly path: string
  readonly realPath: string
  readonly bytes: Uint8Array
  /** Without the byte order mark, line endings as they are; undefined unless the file is text. */
  readonly text?: string
  readonly version: string
}
