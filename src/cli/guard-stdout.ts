import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import type { Log } from './log-file.js'

type SpawnOptions = { stdio?: unknown }
type Spawn = (this: ChildProcess, options: SpawnOptions) => unknown

/**
 * Keeps stdout for the protocol: what anything else writes to stdout or by console goes to the log, and a child that
 * would inherit stdin or stdout gets neither. Returns the only writer to the real stdout.
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
  guardChildren()
  return real
}

function guardChildren(): void {
  const prototype = ChildProcess.prototype as unknown as { spawn: Spawn }
  const spawn = prototype.spawn
  prototype.spawn = function (options) {
    return spawn.call(this, { ...options, stdio: withoutProtocolStreams(options.stdio) })
  }
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) {
    const run = childProcess[name] as (...all: unknown[]) => unknown
    const guarded = (...all: unknown[]) => {
      const last = all.at(-1)
      if (typeof last === 'object' && last !== null && 'stdio' in last) {
        all[all.length - 1] = { ...last, stdio: withoutProtocolStreams(last.stdio) }
      }
      return run(...all)
    }
    Object.assign(childProcess, { [name]: guarded })
  }
  syncBuiltinESMExports()
}

/** `inherit`, and the descriptors 0 and 1 by number or stream, become `ignore`; a child's stderr may be ours. */
function withoutProtocolStreams(stdio: unknown): unknown {
  if (stdio === 'inherit') return ['ignore', 'ignore', 'inherit']
  if (!Array.isArray(stdio)) return stdio
  return stdio.map((entry, index) => {
    const fd = entry === 'inherit' ? index : typeof entry === 'number' ? entry : (entry as { fd?: number } | null)?.fd
    return fd === 0 || fd === 1 ? 'ignore' : entry
  })
}
