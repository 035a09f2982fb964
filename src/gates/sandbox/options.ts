import type { ActiveExecution, ToolAgent } from '../../registry/index.js'

/** The section `sandbox`. Paths are absolute, or start with `~/`. */
export interface SandboxOptions {
  /** `auto`: commands of a model run in a sandbox where one works; `required`: no command runs without one. Default off. */
  mode?: 'off' | 'auto' | 'required'
  /** Commands may use the network. Default false. */
  network?: boolean
  /** Folders that commands may change besides the workspace and their temporary folder. */
  write?: readonly string[]
  /** Secret paths that commands may read all the same. */
  read?: readonly string[]
  /** Commands the user typed run in the sandbox too. Default: only if it is required. */
  userCommands?: boolean
  /** Paths that no command may read, besides the known secrets: Deckhand's own state and config. Not opened by `read`. */
  hidden?: readonly string[]
}

/** The service `sandbox`: what other gates may build on. */
export interface Sandbox {
  readonly mode: 'off' | 'auto' | 'required'
  /** A sandbox works on this machine. */
  readonly available: boolean
  /** Why commands run without one, or are refused; undefined if they run in it. */
  readonly problem: string | undefined
  /** Commands of this agent's calls are held: they change nothing outside the workspace, see no secrets and reach no network unless configured. */
  holds(agent: ToolAgent): boolean
  /**
   * The gate itself will ask the user about this call, naming the command and that it would run without the sandbox: a
   * question before that one has no use.
   */
  asks(exec: ActiveExecution): boolean
}
