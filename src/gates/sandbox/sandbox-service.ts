import type { ActiveExecution, ToolAgent, ToolEffects } from '../../registry/index.js'
import type { Backend, Detection } from './detect.js'
import type { Sandbox, SandboxOptions } from './options.js'
import type { SessionCommand } from './outside-answers.js'
import { OutsideAnswers } from './outside-answers.js'

interface ServiceParts {
  readonly options: SandboxOptions
  readonly detection: Detection
  readonly effectsOf: (exec: Pick<ActiveExecution, 'name' | 'arguments' | 'agent'>) => ToolEffects | undefined
  readonly canAsk: () => boolean
}

/** Which calls the sandbox holds, and which of them the user is asked about. */
export class SandboxService implements Sandbox {
  readonly mode: Sandbox['mode']
  readonly answers = new OutsideAnswers()
  readonly #parts: ServiceParts
  /** Calls that another gate has let through because this one asks. */
  readonly #promised = new WeakSet<ActiveExecution>()

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.mode = parts.options.mode ?? 'off'
  }

  get backend(): Backend | undefined {
    return 'backend' in this.#parts.detection ? this.#parts.detection.backend : undefined
  }

  get available(): boolean {
    return this.backend !== undefined
  }

  get problem(): string | undefined {
    if (this.mode === 'off') return 'The sandbox is off.'
    return 'problem' in this.#parts.detection ? this.#parts.detection.problem : undefined
  }

  /** False for an untested backend: it takes no question away. */
  holds(agent: ToolAgent): boolean {
    return this.covers(agent) && this.backend?.type === 'bubblewrap'
  }

  asks(exec: ActiveExecution): boolean {
    const command = this.commandOf(exec)
    const asks = command !== undefined && this.#parts.canAsk() && this.answers.get(command) === 'failed'
    if (asks) this.#promised.add(exec)
    return asks
  }

  /** True if the gate has to ask: by what is known now, or because it said so before. */
  mustAsk(exec: ActiveExecution): boolean {
    return this.asks(exec) || this.#promised.has(exec)
  }

  /** True if commands of such calls belong in the sandbox; a call without a session is the user's. */
  covers(agent: ToolAgent | undefined): boolean {
    if (this.mode === 'off') return false
    return agent?.origin === 'model' || (this.#parts.options.userCommands ?? this.mode === 'required')
  }

  /** The command of a model's call that is held; undefined for any other call. */
  commandOf(exec: ActiveExecution): SessionCommand | undefined {
    const { agent } = exec
    if (agent?.origin !== 'model' || !this.covers(agent) || !this.available) return undefined
    const effects = this.#parts.effectsOf(exec)
    return effects?.runs === undefined ? undefined : { agent, runs: effects.runs, runsIn: effects.runsIn }
  }
}
