import type { ContentBlock, JsonValue, ToolCallView, ToolResultView } from '../cards/index.js'

export type JsonSchema = { [key: string]: unknown }

/** What a model is told of a tool. `parameters` is a JSON Schema of type object. */
export interface ToolSchema {
  name: string
  description: string
  parameters: JsonSchema
}

/** Where and for whom a call runs. Without it a relative path is an error (NO_WORKSPACE). */
export interface ToolAgent {
  readonly sessionId: string
  /** Absolute. */
  readonly cwd: string
  /** Absolute; cwd first, then the additional directories. */
  readonly roots: readonly string[]
  readonly origin: 'user' | 'model'
  /** The turn the call belongs to; unique in the session. */
  readonly turnId?: string
  /** Real paths outside the roots that a gate has let this call touch. */
  readonly granted?: readonly string[]
}

/** One pending tool call. `arguments` is JSON text as a model sends it, or a value. */
export interface ToolExecution {
  readonly callId: string
  readonly name: string
  readonly arguments: unknown
  readonly agent?: ToolAgent
  signal?: AbortSignal
  /** Called once, just before the tool's body starts: the gates have let the call through. */
  readonly onStart?: () => void
  /** Called for each progress report until the result; nothing after. */
  readonly onProgress?: (progress: ToolProgress) => void
}

/** `output` is appended to the terminal, `content` replaces the card's content. */
export type ToolProgress = { output: Uint8Array | string } | { content: ContentBlock[] }

/**
 * The call as listeners and the tool see it: arguments parsed, signal always present. `callId`, `name` and `arguments` are
 * frozen. Before `next()` a gate may replace `signal` by a narrower one, wrap `launch`, and replace `agent` by one that has
 * more `granted`.
 */
export interface ActiveExecution {
  readonly callId: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  agent?: ToolAgent
  signal: AbortSignal
  launch: Launch
  /** No-op once the result stands. */
  progress(progress: ToolProgress): void
}

/** Program and arguments; no shell stands between. */
export type Command = readonly [file: string, ...args: string[]]

export interface LaunchOptions {
  /** Absolute; MISSING_CWD if it is no directory. */
  cwd: string
  /** Set over the inherited environment; undefined removes. Provider keys are removed in any case. */
  env?: Record<string, string | undefined>
  /** Set last, provider keys too: the user has named these variables for this very program. */
  ownEnv?: Readonly<Record<string, string>>
  /** Text for stdin, which is closed after it, or at once without it. */
  input?: string
  /** stdin stays open; the process has an `input`. */
  keepInput?: boolean
  /** Windows: the arguments are quoted for its command line already. */
  verbatimArguments?: boolean
  /**
   * stdout and stderr in order of arrival. Must not block: a promise holds this stream until it settles. Without one there is no
   * backpressure, so the receiver bounds what it keeps.
   */
  onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => unknown
}

export interface ProcessExit {
  /** Unsigned; absent if a signal ended the process. */
  exitCode?: number
  /** `SIGKILL` and the like. */
  signal?: string
}

/** The stdin of a process that keeps it. */
export interface ProcessInput {
  /** Rejects if the process does not take it: it has closed its stdin, or reads nothing and 64 MiB wait. */
  write(text: string): Promise<void>
  end(): void
}

/** A child in a process group of its own, owned by a session. */
export interface LaunchedProcess {
  /** Present with `keepInput`. */
  readonly input?: ProcessInput
  readonly pid: number
  /** Settles when the process itself has exited and what it wrote was delivered (a short, bounded drain); never rejects. */
  readonly exited: Promise<ProcessExit>
  /** Ends the whole group: SIGTERM, and SIGKILL if it is still there after a grace of 500 ms. Settles when it is gone. */
  kill(): Promise<void>
}

/** The only way a tool starts a process. Throws SPAWN_FAILED or MISSING_CWD. */
export type Launch = (command: Command, options: LaunchOptions) => Promise<LaunchedProcess>

/** The service behind `exec.launch`: each process belongs to an owner (a session's id, or a call's without a session). */
export interface Launcher {
  launch(owner: string, command: Command, options: LaunchOptions): Promise<LaunchedProcess>
  /** Kills everything the owner started and left, background children included. Idempotent. */
  release(owner: string): Promise<void>
}

/** What the user is asked about a call. */
export interface ApprovalQuestion {
  readonly exec: ActiveExecution
  /** Why it is asked, one line; for the log and for clients that show it. */
  readonly reason: string
  /** Label of the option that remembers, stating the exact rule; absent: that option is not offered. */
  readonly always?: string
  /** What a reject_always refuses from then on in this session; logged with that answer. */
  readonly subjects?: readonly string[]
  /** Ends the wait: the answer is then `cancelled`. */
  readonly signal: AbortSignal
}

/** `cancelled` ends the turn; the others let the turn go on. */
export type ApprovalAnswer = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'cancelled'

/** The service `approver`: whoever faces the user. Without it nobody can be asked, and what needs asking is refused. */
export interface Approver {
  /**
   * Settles on the answer, the question's signal, close and disconnect. Rejects with REFUSED if the question could not be
   * put: the message says why.
   */
  ask(question: ApprovalQuestion): Promise<ApprovalAnswer>
  /** A line in the thread that is no part of the conversation: what an always-answer remembered. */
  note(agent: ToolAgent, text: string): void
}

/** What a model wants to know of the user. */
export interface UserQuestion {
  /** The call that asks: it is shown, and its body has not started unless `isRunning` says so. */
  readonly callId: string
  readonly agent: ToolAgent
  readonly question: string
  /** Answers to choose from; absent: any text. */
  readonly options?: readonly string[]
  /** The body of the call asks; some clients can then not be asked. */
  readonly isRunning?: boolean
  /** Ends the wait. */
  readonly signal: AbortSignal
}

/** `declined` says why there is no answer. */
export type UserAnswer = { answer: string } | { declined: string }

/** The service `questioner`: whoever faces the user and can take an answer that is more than yes or no. */
export interface Questioner {
  /** Settles on the answer, the question's signal, close and disconnect; never rejects. */
  ask(question: UserQuestion): Promise<UserAnswer>
}

/** What a tool's body returns: model-facing content, and optionally a JSON payload that presentResult gets back. */
export type ToolOutput = ContentBlock[] | { content: ContentBlock[]; meta?: JsonValue }

/** What presentResult gets, live and from the log. */
export interface ToolResult {
  content: ContentBlock[]
  isError: boolean
  meta?: JsonValue
}

export interface ToolErrorInfo {
  name: string
  code: string
}

/** Outcome of one call. */
export interface ToolExecutionResult extends ToolResult {
  callId: string
  error?: ToolErrorInfo
}

/** What a call would touch; gates decide from this and never from a name. Absent: it may do anything. */
export interface ToolEffects {
  /** Paths, as the arguments have them. */
  reads?: string[]
  writes?: string[]
  /** A shell command's text. */
  runs?: string
  /** Directory the command runs in, as the arguments have it; default: the session's. */
  runsIn?: string
  /** Host names, or true for any. */
  network?: string[] | true
}

/**
 * What makes a tool's cards when the tool itself is not there, as before its server runs: a family of `ctx.tools.presenters`
 * and what it needs to know. Logged with each call; live and replay both go by it. At most 8 KiB as JSON.
 */
export interface PresentedBy {
  readonly family: string
  readonly facts: JsonValue
}

/** Who stands behind a tool that comes from outside the program: a server. */
export interface ProvidedBy {
  /** For people, as it stands in a sentence: `the MCP server github`. */
  readonly label: string
  /** Which one it is, also if two have one label: an answer that is remembered for its tools counts for this one alone. */
  readonly key: string
  /** What it says of the tool, which may be a lie; goes on from "it says": `that it only reads`. */
  readonly claim?: string
}

/**
 * A tool. All of presentCall, presentResult, effects and isConcurrencySafe are pure: they depend on their arguments only and
 * may be called while arguments stream, at the call, and when a log is replayed.
 */
export interface ToolDefinition extends ToolSchema {
  /** Fails by throwing: a HarnessError gives the result its code, and a ToolError also content and meta of its own. */
  // biome-ignore lint/suspicious/noExplicitAny: the registry holds tools of any argument shape; defineTool types it.
  execute(args: any, exec: ActiveExecution): Promise<ToolOutput>
  /** Throws ToolArgsError; runs before the first listener. */
  validate?(args: Record<string, unknown>): void
  presentCall?(args: Record<string, unknown>): ToolCallView | undefined
  /** presentCall for arguments that still stream: only complete top-level keys are there. Made by defineTool. */
  presentPartial?(args: Record<string, unknown>): ToolCallView | undefined
  presentResult?(args: Record<string, unknown>, result: ToolResult): ToolResultView | undefined
  effects?(args: Record<string, unknown>): ToolEffects | undefined
  isConcurrencySafe?(args: Record<string, unknown>): boolean
  /** Then this makes the cards, and the presenters above are not asked. */
  presentedBy?: PresentedBy
  /** Absent: the program itself, or a plugin. */
  providedBy?: ProvidedBy
  /** The parameters that a console line and its fenced blocks fill, in order; default: the required strings. */
  consoleStrings?: readonly string[]
  /** Only a user may call it: no model is told of it. */
  userOnly?: boolean
  /** Only a model has a use for it: no user is offered it. */
  modelOnly?: boolean
}
