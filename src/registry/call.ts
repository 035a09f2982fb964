import { HarnessError, isContentBlock, isHarnessError, text } from '../cards/index.js'
import { createActiveExecution } from './active-execution.js'
import { type CallLaunch, createCallLaunch } from './call-launch.js'
import { contain, settledWithin } from './contain.js'
import { errorMessage, failedResult, isAbortError, stopError } from './failure.js'
import { toListenerResult, toToolResult } from './output.js'
import { isToolError, ToolError } from './tool-error.js'
import type {
  ActiveExecution,
  Launcher,
  ToolDefinition,
  ToolExecution,
  ToolExecutionResult,
  ToolProgress,
} from './types.js'

/** What a call needs of the registry it runs in. */
export interface CallHost {
  /** Runs the listeners of tools/execute around `body`. */
  waterfall(exec: ActiveExecution, body: () => Promise<ToolExecutionResult>): unknown
  /** False once the definition was unregistered: its plugin is gone. */
  isRegistered(definition: ToolDefinition): boolean
  findLauncher(): Launcher | undefined
  warn(problem: string): void
  /** How long a body may still take after its signal, and processes after their call. */
  abortGraceMs: number
}

const STILL_RUNNING = 'The tool had been started and may still be finishing.'

/** One call on its way through the listeners and the body. Its only result is the first to stand; nothing comes after it. */
export class Call {
  readonly #definition: ToolDefinition
  readonly #exec: ToolExecution
  readonly #host: CallHost
  readonly #active: ActiveExecution
  readonly #launch: CallLaunch
  readonly #signals = new Set<AbortSignal>()
  readonly #result: Promise<ToolExecutionResult>
  #resolve!: (result: ToolExecutionResult) => void
  #started = false
  #over = false
  #warnedOfProgress = false
  #body: ToolExecutionResult | undefined
  /** Set when the listeners have answered while the body still ran. */
  #answer: (() => ToolExecutionResult) | undefined
  #stopReason: unknown
  #grace: NodeJS.Timeout | undefined

  constructor(
    definition: ToolDefinition,
    exec: ToolExecution,
    args: Readonly<Record<string, unknown>>,
    host: CallHost,
  ) {
    this.#definition = definition
    this.#exec = exec
    this.#host = host
    this.#launch = createCallLaunch(exec, host.findLauncher)
    this.#result = new Promise(resolve => {
      this.#resolve = resolve
    })
    this.#active = createActiveExecution({
      exec,
      arguments: args,
      signal: exec.signal ?? new AbortController().signal,
      launch: this.#launch.launch,
      onSignal: signal => this.#watch(signal),
      progress: progress => this.#progress(progress),
    })
  }

  run(): Promise<ToolExecutionResult> {
    this.#watch(this.#active.signal)
    if (!this.#over) this.#dispatch()
    return this.#result
  }

  #dispatch(): void {
    let listeners: Promise<unknown>
    try {
      listeners = Promise.resolve(this.#host.waterfall(this.#active, () => this.#runBody()))
    } catch (error) {
      // A listener that throws before its first await throws out of the waterfall itself (P4).
      listeners = Promise.reject(error)
    }
    listeners.then(
      value => this.#finish(() => this.#fromListeners(value)),
      error => this.#finish(() => this.#fromListenerError(error)),
    )
  }

  async #runBody(): Promise<ToolExecutionResult> {
    // Also when a listener vetoed and another one, not awaited, goes on: what was refused never runs (P1).
    if (this.#over || this.#started) return this.#stoppedBefore()
    if (!this.#host.isRegistered(this.#definition)) {
      const gone = `The tool ${this.#exec.name} was unregistered while the call waited. It was not run.`
      return failedResult(this.#exec.callId, new HarnessError('UNKNOWN_TOOL', gone))
    }
    contain(
      () => this.#exec.onStart?.(),
      error => this.#host.warn(`onStart threw: ${errorMessage(error)}`),
    )
    if (this.#over) return this.#stoppedBefore()
    this.#started = true
    let result: ToolExecutionResult
    try {
      const output: unknown = await this.#definition.execute(this.#active.arguments, this.#active)
      result = toToolResult(this.#exec.callId, output, problem => this.#host.warn(problem))
    } catch (error) {
      result = failedResult(this.#exec.callId, this.#nameStop(error))
    }
    this.#body = result
    if (this.#answer) this.#settle(this.#answer())
    return result
  }

  /** A body that obeyed its signal fails by the reason of the signal, with the content it made. */
  #nameStop(error: unknown): unknown {
    const isStopped = [...this.#signals].some(signal => signal.aborted)
    if (!isStopped || !isAbortError(error, this.#stopReason)) return error
    const stop = stopError(this.#stopReason, 'ABORTED')
    if (!isToolError(error)) return isHarnessError(error) && stop.code === 'ABORTED' ? error : stop
    const { content, meta } = error
    const message = stop.code === 'ABORTED' ? error.message : stop.message
    return new ToolError(stop.code, message, { ...(content && { content }), ...(meta !== undefined && { meta }) })
  }

  #fromListeners(value: unknown): ToolExecutionResult {
    if (this.#body !== undefined && value === this.#body) return this.#body
    const result = toListenerResult(this.#exec.callId, value, this.#body?.error)
    if (result === undefined) {
      const problem = `A listener of tools/execute returned no result${this.#started ? '' : ', so the tool was not run'}.`
      return this.#fromListenerError(new HarnessError('LISTENER_FAILED', problem))
    }
    return this.#isBodyRunning() ? { ...result, content: [...result.content, text(STILL_RUNNING)] } : result
  }

  #fromListenerError(error: unknown): ToolExecutionResult {
    if (!this.#started) return failedResult(this.#exec.callId, nameListener(error))
    const failed = failedResult(this.#exec.callId, error, 'LISTENER_FAILED')
    if (this.#body === undefined) return { ...failed, content: [...failed.content, text(STILL_RUNNING)] }
    // The card of what was done stays: content and meta are the tool's.
    const note = text(`The tool has run; after it a listener failed: ${errorMessage(error)}`)
    const { callId, content, meta } = this.#body
    return { ...failed, callId, content: [...content, note], ...(meta !== undefined && { meta }) }
  }

  #finish(answer: () => ToolExecutionResult): void {
    if (this.#over) return
    if (this.#isBodyRunning()) {
      // A listener did not wait for the body. Its answer counts once the body is done, so that no effect goes unsaid.
      this.#answer = answer
      this.#startGrace()
    } else {
      this.#settle(answer())
    }
  }

  #isBodyRunning(): boolean {
    return this.#started && this.#body === undefined
  }

  #watch(signal: AbortSignal): void {
    if (this.#over || this.#signals.has(signal)) return
    this.#signals.add(signal)
    if (signal.aborted) this.#stop(signal)
    else signal.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (event: Event) => this.#stop(event.target as AbortSignal)

  #stop(signal: AbortSignal): void {
    if (this.#over) return
    this.#stopReason ??= signal.reason
    if (this.#started) this.#startGrace()
    else this.#settle(this.#stoppedBefore())
  }

  #startGrace(): void {
    this.#grace ??= setTimeout(() => {
      this.#settle(this.#body ?? this.#answer?.() ?? this.#stoppedAfter())
    }, this.#host.abortGraceMs)
  }

  #stoppedBefore(): ToolExecutionResult {
    const error = stopError(this.#stopReason, 'ABORTED_BEFORE_DISPATCH', 'The tool had not been started.')
    return failedResult(this.#exec.callId, error)
  }

  #stoppedAfter(): ToolExecutionResult {
    return failedResult(this.#exec.callId, stopError(this.#stopReason, 'ABORTED', STILL_RUNNING))
  }

  #settle(result: ToolExecutionResult): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#grace)
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#onAbort)
    const released = contain(
      () => this.#launch.close(),
      () => {},
    )
    if (released === undefined) this.#resolve(result)
    else void settledWithin(released, this.#host.abortGraceMs).then(() => this.#resolve(result))
  }

  #progress(progress: ToolProgress): void {
    if (this.#over) return
    contain(
      () => {
        if (!isProgress(progress)) throw new TypeError('a progress report is neither output nor content')
        return this.#exec.onProgress?.(progress)
      },
      error => this.#warnOfProgress(`progress: ${errorMessage(error)}`),
    )
  }

  /** Once a call: reports come by the thousand. */
  #warnOfProgress(problem: string): void {
    if (this.#warnedOfProgress) return
    this.#warnedOfProgress = true
    this.#host.warn(problem)
  }
}

function nameListener(error: unknown): unknown {
  if (isHarnessError(error)) return error
  const problem = `A listener of tools/execute failed, so the tool was not run: ${errorMessage(error)}`
  return new HarnessError('LISTENER_FAILED', problem, { cause: error })
}

function isProgress(value: unknown): value is ToolProgress {
  if (typeof value !== 'object' || value === null) return false
  const { output, content }: { output?: unknown; content?: unknown } = value
  if (output !== undefined) return typeof output === 'string' || output instanceof Uint8Array
  return Array.isArray(content) && content.every(isContentBlock)
}
