import type { Log } from './log-file.js'

/**
 * Keeps stdout for the protocol: what anything else writes to stdout or by console goes to the log. Returns the only writer
 * to the real stdout.
 */
export function guardStdout(log: Log): NodeJS.WriteStream {
  const real = process.stdout
  const redirected = (chunk: unknown, encoding?: unknown, callback?: unknown) => {
    const text = chunk instanceof Uint8Array ? Buffer.from(chunk).toString('utf8') : chunk
    if (typeof text === 'string') log('info', 'stdout:', text)
    const done = [chunk, encoding, callback].find(given => typeof given === 'function')
    if (done) process.nextTick(done as () => void)
    return true
  }
  const guarded = new Proxy(real, {
    get: (target, key) => {
      if (key === 'write' || key === 'end') return redirected
      if (key === 'destroy' || key === 'destroySoon') return () => guarded
      const value = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  Object.defineProperty(process, 'stdout', { value: guarded, configurable: true })
  for (const level of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir'] as const) {
    const name = level === 'log' || level === 'dir' || level === 'trace' ? 'info' : level
    console[level] = (...parts: unknown[]) => log(name, ...parts)
  }
  return real
}
