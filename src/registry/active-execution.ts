import type { ActiveExecution, Launch, ToolAgent, ToolExecution, ToolProgress } from './types.js'

interface ActiveExecutionParts {
  exec: ToolExecution
  /** Deeply frozen. */
  arguments: Readonly<Record<string, unknown>>
  signal: AbortSignal
  launch: Launch
  onSignal(signal: AbortSignal): void
  progress(progress: ToolProgress): void
}

/** What listeners and the tool see of a call: all is fixed but `signal`, of which each new one is reported, `launch` and `agent`. */
export function createActiveExecution(parts: ActiveExecutionParts): ActiveExecution {
  const { exec } = parts
  let { signal, launch } = parts
  let { agent } = exec
  return Object.defineProperties({} as ActiveExecution, {
    callId: { value: exec.callId, enumerable: true },
    name: { value: exec.name, enumerable: true },
    arguments: { value: parts.arguments, enumerable: true },
    agent: {
      enumerable: true,
      get: () => agent,
      set(next: unknown) {
        if (typeof next !== 'object' || next === null) throw new TypeError('exec.agent must be an agent')
        agent = next as ToolAgent
      },
    },
    progress: { value: parts.progress, enumerable: true },
    signal: {
      enumerable: true,
      get: () => signal,
      set(next: unknown) {
        if (!(next instanceof AbortSignal)) throw new TypeError('exec.signal must be an AbortSignal')
        signal = next
        parts.onSignal(next)
      },
    },
    launch: {
      enumerable: true,
      get: () => launch,
      set(next: unknown) {
        if (typeof next !== 'function') throw new TypeError('exec.launch must be a function')
        launch = next as Launch
      },
    },
  })
}
