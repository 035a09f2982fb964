/** A signal that knows who still listens to it. */
export interface WatchedSignal {
  readonly controller: AbortController
  /** Where each abort listener was added that is still there. Those of fetch go with their response and do not count. */
  left(): string[]
}

/** A signal of its own, which nothing else may have listened to before. */
export function createWatchedSignal(): WatchedSignal {
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Map<unknown, string>()
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    const place = callerOf(new Error().stack ?? '')
    if (place !== undefined && args[1] !== null) listeners.set(args[1], place)
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1])
    remove(...args)
  }
  return { controller, left: () => (signal.aborted ? [] : [...listeners.values()]) }
}

/** The line of code that called, undefined for what fetch does on its own. */
function callerOf(stack: string): string | undefined {
  const lines = stack.split('\n').slice(2)
  if (lines.some(line => line.includes('undici'))) return undefined
  const own = lines.find(line => !line.includes('node:internal')) ?? ''
  return /\(?([^\s(]+:\d+:\d+)\)?$/.exec(own)?.[1] ?? 'an unknown place'
}
