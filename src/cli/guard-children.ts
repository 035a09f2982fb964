import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

type SpawnOptions = { stdio?: unknown }
type Spawn = (this: ChildProcess, options: SpawnOptions) => unknown

/** Keeps stdin and stdout for the protocol: a child that would inherit one of them gets neither. */
export function guardChildren(): void {
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
