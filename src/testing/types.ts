import type { ToolCallView, ToolResultView } from '../cards/index.js'
import type { ToolAgent, ToolDefinition, ToolExecutionResult } from '../registry/types.js'

/**
 * A plugin as its module exports it: a list of tools, `apply(ctx, config)`, or both. Described by its shape, so that a plugin
 * with another copy of the library is one too.
 */
export interface ToolPlugin {
  name?: string
  inject?: unknown
  apply?(ctx: never, config: never): unknown
  tools?: readonly ToolDefinition[]
}

/** One call that the contract is checked with. It runs in a scratch tree of its own, several times. */
export interface ToolSample {
  /** Stands in the names of the checks. Default: the arguments, shortened. */
  name?: string
  args: Record<string, unknown>
  /** The tree before the call: relative path with `/` → content. */
  files?: Record<string, string | Uint8Array>
  /** Laid over the agent of the call, which is a model's in the scratch tree. */
  agent?: Partial<ToolAgent>
  /** What comes of it. Default: the call succeeds. */
  expect?: ExpectedOutcome | ((outcome: SampleOutcome) => void | Promise<void>)
  /** The call goes on until it is stopped: only the checks that stop it, and those that run nothing, use this sample. */
  untilStopped?: boolean
}

/** All that is given must hold. */
export interface ExpectedOutcome {
  /** The call fails with this code; without it the call succeeds. */
  code?: string
  /** Stands in the text that the model gets. */
  text?: string | RegExp
  /** The kind of the result's card. */
  card?: ToolResultView['card']
  /** Files after the call: relative path → text, or null for none. */
  files?: Record<string, string | null>
}

/** What a sample led to. */
export interface SampleOutcome {
  result: ToolExecutionResult
  callCard: ToolCallView | undefined
  resultCard: ToolResultView | undefined
  /** Files of the tree after the call by relative path with `/`: their text. */
  files: Record<string, string>
}

export interface ContractOptions {
  /** Which tool is meant, if the plugin registers several. */
  tool?: string
  /** What the plugin gets as its config. */
  config?: unknown
  /** Plugins with services that the tool needs besides `tools`, `files`, `launcher`, `jobs` and `systemPrompt`. */
  plugins?: readonly ToolPlugin[]
  /** How much text a result may hold. Default 128 KiB. */
  maxTextBytes?: number
  /** How long a call may take to end after its signal. Default 2,000, as the registry waits. */
  abortGraceMs?: number
}

/** For any test runner: `for (const check of toolContract(tool, samples)) test(check.name, check.run)`. */
export interface ContractCheck {
  name: string
  /** Rejects with CONTRACT_BROKEN: the message says what to change. */
  run(): Promise<void>
}
