import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessFacts } from './process-facts.js'

const MAX_BYTES = 5 * 1024 * 1024

export type Log = (level: 'error' | 'warn' | 'info' | 'debug', ...parts: unknown[]) => void

/**
 * The process's log: `deckhand.log` in the state directory, owner only, and one older file beside it, 5 MB each.
 * `target` `stderr` is for developers. A directory that cannot be written silences the log; it never fails a start.
 */
function openLog(stateDir: string, target: 'file' | 'stderr'): Log {
  const path = join(stateDir, 'deckhand.log')
  let file: { fd: number; bytes: number } | undefined
  let failed = false
  const open = () => {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
    const fd = openSync(path, 'a', 0o600)
    return { fd, bytes: fstatSync(fd).size }
  }
  return (level, ...parts) => {
    // Most starts log nothing, and an import of this module costs each of them a millisecond.
    const { format } = process.getBuiltinModule('node:util')
    const line = `${new Date().toISOString()} ${process.pid} ${level} ${format(...parts)}\n`
    if (target === 'stderr') {
      process.stderr.write(line)
      return
    }
    if (failed) return
    try {
      file ??= open()
      if (file.bytes > MAX_BYTES) {
        closeSync(file.fd)
        renameSync(path, `${path}.old`)
        file = open()
      }
      file.bytes += writeSync(file.fd, line)
    } catch {
      failed = true
    }
  }
}

/** The log that the environment asks for. */
export function logTo({ env, stateDir }: Pick<ProcessFacts, 'env' | 'stateDir'>): Log {
  return openLog(stateDir, env.DECKHAND_LOG === 'stderr' ? 'stderr' : 'file')
}
